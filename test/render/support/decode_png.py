"""
Decodes PNGs with zlib alone, by the specification, and writes the RGB bytes of each beside it (.rgb): no PNG library has a
say in it.
"""
import struct
import sys
import zlib


def decode(path):
    bytes_in = open(path, "rb").read()
    assert bytes_in[:8] == b"\x89PNG\r\n\x1a\n", "signature"
    position, compressed, palette, names = 8, b"", b"", []
    while position < len(bytes_in):
        (length,) = struct.unpack(">I", bytes_in[position : position + 4])
        name = bytes_in[position + 4 : position + 8]
        body = bytes_in[position + 8 : position + 8 + length]
        (crc,) = struct.unpack(">I", bytes_in[position + 8 + length : position + 12 + length])
        assert crc == zlib.crc32(name + body), f"CRC of {name}"
        names.append(name)
        if name == b"IHDR":
            width, height, depth, color, deflate, filters, interlace = struct.unpack(">IIBBBBB", body)
            assert (deflate, filters, interlace) == (0, 0, 0)
        elif name == b"PLTE":
            assert length % 3 == 0 and 0 < length // 3 <= 1 << depth, "palette size"
            palette = body
        elif name == b"IDAT":
            compressed += body
        position += 12 + length
    assert names[0] == b"IHDR" and names[-1] == b"IEND" and position == len(bytes_in), "order"

    decoder = zlib.decompressobj()
    raw = decoder.decompress(compressed)
    assert decoder.eof and not decoder.unused_data, "one whole zlib stream, checksum and all"
    step = 3 if color == 2 else 1
    line_bytes = (width * depth * step + 7) // 8
    assert len(raw) == height * (line_bytes + 1), "length of the raw image"

    above = bytearray(line_bytes)
    pixels = bytearray()
    for y in range(height):
        start = y * (line_bytes + 1)
        line = bytearray(raw[start + 1 : start + 1 + line_bytes])
        if raw[start] == 1:
            for x in range(step, line_bytes):
                line[x] = (line[x] + line[x - step]) & 255
        elif raw[start] == 2:
            line = bytearray((a + b) & 255 for a, b in zip(line, above))
        else:
            assert raw[start] == 0, "filter"
        above = line
        if color == 2:
            pixels += line
            continue
        out = bytearray()
        for x in range(width):
            bit = x * depth
            index = line[bit // 8] >> (8 - depth - bit % 8) & ((1 << depth) - 1)
            out += palette[index * 3 : index * 3 + 3]
            assert index * 3 < len(palette), "index beyond the palette"
        pixels += out
    return pixels


for path in sys.argv[1:]:
    with open(f"{path}.rgb", "wb") as file:
        file.write(decode(path))
