CITIES = [
    ('東京', 'Tōkyō', '🗼', 37.4),
    ('서울', 'Seoul', '🏯', 9.9),
    ('กรุงเทพ', 'Bangkok', '🐘', 11.1),
    ('São Paulo', 'Sampa', '🌆', 22.4),
    ('Αθήνα', 'Athens', '🏛️', 3.2),
]
WIDTHS = {'東京': 4, '서울': 4, 'กรุงเทพ': 6}
EIGHTHS = ' ▏▎▍▌▋▊▉█'


def bar(value, width=24):
    eighths = round(value / 40 * width * 8)
    return '█' * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def pad(text, width):
    return text + ' ' * (width - WIDTHS.get(text, len(text)))


def table(rows):
    print('╭───────────┬──────────┬────┬───────┬' + '─' * 26 + '╮')
    for shade, (native, name, sign, millions) in enumerate(rows):
        color = f'\x1b[38;2;{90 + 35 * shade};{210 - 25 * shade};255m'
        print(f'│ \x1b[1m{pad(native, 9)}\x1b[0m │ \x1b[3m{name:8}\x1b[0m │ {sign} │ {millions:5} │ '
              f'{color}{bar(millions):24}\x1b[0m │')
    print('╰───────────┴──────────┴────┴───────┴' + '─' * 26 + '╯')


def sunset(width=76, height=10):
    for row in range(height):
        line = ''
        for col in range(width):
            line += '\x1b[38;2;{};{};{};48;2;{};{};{}m▀'.format(*sky(col, 2 * row, width, height),
                                                               *sky(col, 2 * row + 1, width, height))
        print(line + '\x1b[0m')


def sky(x, y, width, height):
    down = y / (2 * height)
    glow = max(0.0, 1 - (((x - width * 0.7) / 13) ** 2 + ((y - height * 1.3) / 6) ** 2) ** 0.5)
    return [min(255, round(base + (to - base) * down + glow * light))
            for base, to, light in ((28, 235, 240), (22, 94, 190), (74, 72, 90))]
