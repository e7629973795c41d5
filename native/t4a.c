/*
 * The command line of t4a in the time of a system call: hands what its process has over to the host, a warm process of Node
 * (src/cli/warm/), and does to its process what that says. It knows no command and no option. What the host does not do is left to
 * Node: dist/cli.cjs runs in this process.
 */
#include "system.h"

#ifndef BUILD
#error "BUILD names the build that this belongs to"
#endif

enum { MOST_FRAME = 65 << 10, PART = 64 << 10, PIPE_PART = 4096, MOST_FILES = 16, MOST_CLOSED = 1024 };
/* Silence of the host before it is asked whether it lives, and how often. */
enum { GREETING_S = 2, SILENCE_S = 5, MOST_SILENCES = 3 };
/* As a shell says "not found"; and a failure of t4a itself, as of `timeout`. */
enum { NOT_FOUND = 127, FAILED = 125 };

static char **arguments, **environment;
static int argument_count;
static char place[108], cli_of_host[4096], node_of_host[4096];
static int connection, signals, out_error, wants_stdin, is_handed_over, is_of_door, silences;
static long refusal;
static uint64_t first_mask;
static int files[MOST_FILES];
static unsigned char frame[MOST_FRAME + 8], part[PART];
static size_t received;

static void say(const char *text) { CALL(write, 2, text, length_of(text), 0, 0); }

static void __attribute__((noreturn)) leave(int status) {
  for (;;) CALL(exit_group, status, 0, 0, 0, 0);
}

static const char *variable(const char *name) {
  size_t length = length_of(name);
  for (char **each = environment; *each; each++)
    if (begins(*each, name) && (*each)[length] == '=') return *each + length + 1;
  return "";
}

static char *append(char *to, char *end, const char *text) {
  while (*text && to < end - 1) *to++ = *text++;
  *to = 0;
  return to;
}

static char *append_number(char *to, char *end, uint64_t number) {
  char digits[21], *at = digits + 20;
  *at = 0;
  do *--at = (char)('0' + number % 10); while (number /= 10);
  return append(to, end, at);
}

static void set_action(int signal, uintptr_t handler) {
  struct action action = {handler, 0, 0, 0};
  CALL(rt_sigaction, signal, &action, 0, 8, 0);
}

/* --- Node ------------------------------------------------------------------------------------------------------------------- */

static void try_node(const char *node, const char *cli, char **argv, char **envp) {
  argv[0] = (char *)node, argv[1] = (char *)cli;
  CALL(execve, node, argv, envp, 0, 0);
}

/* The search of a shell. */
static void try_nodes(const char *cli, char **argv, char **envp) {
  static char node[4096];
  const char *at = variable("PATH");
  if (!*at) at = "/usr/local/bin:/usr/bin:/bin";
  while (*at) {
    char *end = node;
    while (*at && *at != ':' && end < node + sizeof node - 8) *end++ = *at++;
    if (end == node) *end++ = '.';
    append(end, node + sizeof node, "/node");
    try_node(node, cli, argv, envp);
    while (*at && *at != ':') at++;
    if (*at == ':') at++;
  }
  if (*node_of_host) try_node(node_of_host, cli, argv, envp);
}

static int is_readable(const char *path) { return CALL(faccessat, AT_FDCWD, path, R_OK, 0, 0) == 0; }

/* dist/native/ARCH/t4a lies beside dist/cli.cjs; a copy elsewhere does not. */
static const char *own_cli(void) {
  static char path[4096];
  long length = CALL(readlinkat, AT_FDCWD, "/proc/self/exe", path, sizeof path - 16, 0);
  if (length <= 0) return "";
  path[length] = 0;
  for (int levels = 3; levels > 0 && length > 0; levels--)
    while (length > 0 && path[--length] != '/') {}
  append(path + length, path + sizeof path, "/cli.cjs");
  return is_readable(path) ? path : "";
}

/* Keeps nothing of the caller's but its environment, and is nobody's child that is waited for. */
static void __attribute__((noreturn)) wait_to_be_host(int from) {
  char *argv[16];
  size_t length = 0, count = 0;
  CALL(setsid, 0, 0, 0, 0, 0), CALL(chdir, "/", 0, 0, 0, 0);
  CALL(dup3, from, 0, 0, 0, 0);
  int null = (int)CALL(openat, AT_FDCWD, "/dev/null", O_RDWR, 0, 0);
  CALL(dup3, null, 1, 0, 0, 0), CALL(dup3, null, 2, 0, 0, 0);
  if (CALL(close_range, 3, ~0u, 0, 0, 0) != 0)
    for (int fd = 3; fd < MOST_CLOSED; fd++) CALL(close, fd, 0, 0, 0, 0);
  for (;;) {
    long read = CALL(read, 0, part + length, sizeof part - 1 - length, 0, 0);
    if (read > 0) length += (size_t)read;
    else if (read != -EINTR) break;
  }
  CALL(dup3, 1, 0, 0, 0, 0);
  for (size_t at = 0; at < length && count < 15; at += length_of((char *)part + at) + 1) argv[count++] = (char *)part + at;
  argv[count] = 0;
  if (count > 0) CALL(execve, argv[0], argv, environment, 0, 0);
  leave(0);
}

/*
 * A child that waits for the end of this command, and then becomes what Node has written until then (src/cli/warm/leave-host.ts): so no
 * caller waits for the start of the host.
 * @returns where Node writes, or an error
 */
static int begin_host(void) {
  int ends[2];
  if (CALL(pipe2, ends, 0, 0, 0, 0) != 0) return -1;
  long child = CALL(clone, 0, 0, 0, 0, 0);
  if (child == 0) wait_to_be_host(ends[0]);
  CALL(close, ends[0], 0, 0, 0, 0);
  if (child > 0) return ends[1];
  CALL(close, ends[1], 0, 0, 0, 0);
  return -1;
}

/* @param why what Node gets to know of the host: after "absent" it may leave one behind */
static void __attribute__((noreturn)) leave_to_node(const char *why) {
  static char note[64];
  const char *cli = own_cli();
  if (!*cli && is_readable(cli_of_host)) cli = cli_of_host;
  CALL(rt_sigprocmask, SIG_SETMASK, &first_mask, 0, 8, 0);
  set_action(SIGPIPE, 0), set_action(SIGXFSZ, 0);
  if (*cli) {
    size_t variables = 0;
    while (environment[variables]) variables++;
    char *argv[argument_count + 2], *envp[variables + 2];
    for (int i = 1; i <= argument_count; i++) argv[i + 1] = arguments[i];
    for (size_t i = 0; i <= variables; i++) envp[i + 1] = environment[i];
    char *end = append(append(note, note + sizeof note, "T4A_CALLED_BY_CLIENT="), note + sizeof note, why);
    int to_host = is_same(why, "absent") ? begin_host() : -1;
    if (to_host >= 0) append_number(append(end, note + sizeof note, ":"), note + sizeof note, (uint64_t)to_host);
    envp[0] = note;
    try_nodes(cli, argv, envp);
  }
  say("t4a: This command needs Node and the package t4a, which are not here");
  if (is_same(why, "absent")) say(", and no other process does it for this one");
  say(".\n");
  leave(NOT_FOUND);
}

static void __attribute__((noreturn)) lost(const char *how) {
  if (!is_handed_over) leave_to_node("left");
  if (is_of_door) say("server exited unexpectedly\n"), leave(1);
  say("t4a: The process that does the work of this command ");
  say(how);
  say(". What it asked for may have been done.\n");
  leave(FAILED);
}

/* --- the way to the host ---------------------------------------------------------------------------------------------------- */

static long status_of(int fd, const char *path, int flags, struct status *status) {
  return CALL(statx, fd, path, flags, STATX_BASIC, status);
}

/* As a client looks at the socket of the daemon: it is the caller's, and nobody else may put another in its place. */
static int is_own_place(const char *path) {
  struct status status;
  char folder[108];
  uint32_t uid = (uint32_t)CALL(geteuid, 0, 0, 0, 0, 0);
  if (status_of(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &status) != 0) return 0;
  if ((status.mode & S_IFMT) != S_IFSOCK || status.uid != uid || (status.mode & 077) != 0) return 0;
  char *end = append(folder, folder + sizeof folder, path);
  while (end > folder && *--end != '/') {}
  end[end == folder] = 0;
  if (status_of(AT_FDCWD, folder, 0, &status) != 0) return 0;
  return (status.mode & 01000) != 0 || ((status.mode & 022) == 0 && (status.uid == uid || status.uid == 0));
}

static int connect_to(const struct address *address) {
  struct credentials peer;
  uint32_t size = sizeof peer;
  if (!is_own_place(address->path)) return 0;
  int fd = (int)CALL(socket, AF_UNIX, SOCK_STREAM_NONBLOCK_CLOEXEC, 0, 0, 0);
  if (fd < 0) return 0;
  refusal = CALL(connect, fd, address, sizeof *address, 0, 0);
  if (refusal == 0 && CALL(getsockopt, fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
      peer.uid == (uint32_t)CALL(geteuid, 0, 0, 0, 0, 0)) {
    connection = fd;
    return 1;
  }
  CALL(close, fd, 0, 0, 0, 0);
  return 0;
}

static int reach(const char *socket_path) {
  struct address address = {AF_UNIX, {0}};
  char *end = append(address.path, address.path + sizeof address.path, socket_path);
  end = append(end, address.path + sizeof address.path, ".cli");
  if ((size_t)(end - address.path) != length_of(socket_path) + 4 || !connect_to(&address)) return 0;
  append(place, place + sizeof place, socket_path);
  return 1;
}

/* In the order in which a client looks for its daemon (src/client/socket-places.ts). */
static int reach_any(void) {
  char path[200], *end = path + sizeof path;
  uint64_t uid = (uint64_t)CALL(getuid, 0, 0, 0, 0, 0);
  const char *runtime = variable("XDG_RUNTIME_DIR");
  if (argument_count > 2 && is_same(arguments[1], "--socket")) return arguments[2][0] == '/' && reach(arguments[2]);
  if (*variable("T4A_SOCKET")) return *variable("T4A_SOCKET") == '/' && reach(variable("T4A_SOCKET"));
  append(append_number(append(path, end, "/tmp/t4a-"), end, uid), end, "/t4a.sock");
  if (reach(path)) return 1;
  append(append_number(append(path, end, "/run/user/"), end, uid), end, "/t4a.sock");
  if (reach(path)) return 1;
  append(append(path, end, runtime), end, "/t4a.sock");
  return (*runtime == '/' && reach(path)) || reach("/tmp/t4a.sock");
}

#include "tmux.h"

/* --- frames: a letter, the length in four bytes, the content ---------------------------------------------------------------- */

static int wait_for(int fd, int events, int seconds) {
  struct polled polled = {fd, (short)events, 0};
  struct timespec time = {seconds, 0};
  return (int)CALL(ppoll, &polled, 1, &time, 0, 0);
}

static void send_bytes(const void *bytes, size_t length) {
  for (int waits = 0; length > 0;) {
    long sent = CALL(write, connection, bytes, length, 0, 0);
    if (sent > 0) bytes = (const char *)bytes + sent, length -= (size_t)sent, waits = 0;
    else if (sent == -EAGAIN && waits++ < MOST_SILENCES) wait_for(connection, POLLOUT, SILENCE_S);
    else if (sent != -EINTR) lost(sent == -EAGAIN ? "does not answer" : "has ended");
  }
}

static void put_number(unsigned char *to, uint32_t number) {
  for (int i = 0; i < 4; i++) to[i] = (unsigned char)(number >> (8 * i));
}

static uint32_t number_at(const unsigned char *from) {
  return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static void send_head(char letter, size_t length) {
  unsigned char head[5] = {(unsigned char)letter};
  put_number(head + 1, (uint32_t)length);
  send_bytes(head, 5);
}

static void send_frame(char letter, const void *bytes, size_t length) {
  send_head(letter, length);
  send_bytes(bytes, length);
}

static void send_number(char letter, int32_t number) {
  unsigned char bytes[4];
  put_number(bytes, (uint32_t)number);
  send_frame(letter, bytes, 4);
}

/* Reads what is there. @returns whether a frame is complete */
static int receive(void) {
  for (;;) {
    if (received >= 5) {
      size_t length = number_at(frame + 1);
      if (length > MOST_FRAME) lost("speaks another language");
      if (received >= length + 5) return 1;
    }
    long count = CALL(read, connection, frame + received, sizeof frame - received, 0, 0);
    if (count == -EAGAIN || count == -EINTR) return 0;
    if (count <= 0) lost("has ended");
    silences = 0;
    received += (size_t)count;
  }
}

static void drop_frame(void) {
  size_t length = number_at(frame + 1) + 5;
  for (size_t i = length; i < received; i++) frame[i - length] = frame[i];
  received -= length;
}

/* The host greets whoever connects: its build, its Node and its program. A stopped host greets nobody, and then nothing was asked of it. */
static void await_greeting(const char *build) {
  while (!receive())
    if (wait_for(connection, POLLIN, GREETING_S) == 0) leave_to_node("silent");
  const char *text = (const char *)frame + 5;
  frame[number_at(frame + 1) + 5] = 0;
  if (frame[0] != 'g' || !is_same(text, build)) leave_to_node("other");
  text += length_of(text) + 1;
  append(node_of_host, node_of_host + sizeof node_of_host, text);
  text += length_of(text) + 1;
  append(cli_of_host, cli_of_host + sizeof cli_of_host, text);
  received = 0;
}

/* --- what the process has --------------------------------------------------------------------------------------------------- */

static char facts[16 << 10], *fact;
#define FACTS_END (facts + sizeof facts)

static void end_fact(void) { *fact++ = 0; }
static void put_fact(const char *text) { fact = append(fact, FACTS_END - 8, text), end_fact(); }
static void put_number_fact(uint64_t number) { fact = append_number(fact, FACTS_END - 8, number), end_fact(); }

static void put_link(const char *path) {
  long length = CALL(readlinkat, AT_FDCWD, path, fact, 256, 0);
  if (length > 0) fact += length;
  end_fact();
}

/* /proc/PID/stat */
static void put_process(const char *pid) {
  char path[64];
  append(append(append(path, path + sizeof path, "/proc/"), path + sizeof path, pid), path + sizeof path, "/stat");
  int fd = (int)CALL(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0, 0);
  long length = fd < 0 ? 0 : CALL(read, fd, fact, 1024, 0, 0);
  if (fd >= 0) CALL(close, fd, 0, 0, 0, 0);
  if (length > 0) fact += length;
  end_fact();
}

static void put_process_number(long pid) {
  char digits[24];
  append_number(digits, digits + sizeof digits, (uint64_t)pid);
  put_process(digits);
}

static uint32_t size_of_terminal(int fd) {
  uint16_t size[4] = {0};
  if (CALL(ioctl, fd, TIOCGWINSZ, size, 0, 0) != 0) return 0;
  return size[1] | (uint32_t)size[0] << 16;
}

static int is_terminal(int fd) {
  char settings[128];
  return CALL(ioctl, fd, TCGETS, settings, 0, 0) == 0;
}

static unsigned char *copy(unsigned char *to, const void *from, size_t length) { return (unsigned char *)memcpy(to, from, length) + length; }

static void hand_over(void) {
  fact = facts;
  long session = CALL(getsid, 0, 0, 0, 0, 0), mask = CALL(umask, 0, 0, 0, 0, 0);
  struct status root = {0};
  CALL(umask, mask, 0, 0, 0, 0);
  put_fact(place);
  long length = CALL(getcwd, fact, 4096, 0, 0, 0);
  if (length > 1 && *fact == '/') fact += length - 1;
  end_fact();
  put_number_fact((uint64_t)mask);
  put_number_fact((uint64_t)(is_terminal(0) | is_terminal(1) << 1 | is_terminal(2) << 2));
  put_number_fact(size_of_terminal(1));
  put_link("/proc/self/ns/mnt");
  status_of(AT_FDCWD, "/", 0, &root);
  put_number_fact((uint64_t)root.dev_major << 32 | root.dev_minor);
  put_number_fact(root.ino);
  put_link("/proc/self/ns/pid");
  put_number_fact((uint64_t)CALL(getuid, 0, 0, 0, 0, 0));
  put_number_fact((uint64_t)CALL(getpid, 0, 0, 0, 0, 0));
  put_number_fact((uint64_t)CALL(getppid, 0, 0, 0, 0, 0));
  put_process("self");
  put_process_number(session);
  put_process_number(CALL(getppid, 0, 0, 0, 0, 0));
  put_number_fact((uint64_t)argument_count);
  size_t total = (size_t)(fact - facts);
  for (int i = 0; i < argument_count; i++) total += length_of(arguments[i]) + 1;
  for (char **each = environment; *each; each++) total += length_of(*each) + 1;
  int is_one_piece = total + 5 <= sizeof part;
  unsigned char *piece = part + 5;
  if (is_one_piece) *part = 'h', put_number(part + 1, (uint32_t)total), piece = copy(piece, facts, (size_t)(fact - facts));
  else send_head('h', total), send_bytes(facts, (size_t)(fact - facts));
  /* One string ends where the next begins, as the system lays them out; so most of it is one piece. */
  char **lists[2] = {arguments, environment};
  for (int list = 0; list < 2; list++) {
    for (char **each = lists[list]; *each;) {
      char *from = *each, *end = from + length_of(from) + 1;
      while (*++each == end) end += length_of(end) + 1;
      if (is_one_piece) piece = copy(piece, from, (size_t)(end - from));
      else send_bytes(from, (size_t)(end - from));
    }
  }
  if (is_one_piece) send_bytes(part, (size_t)(piece - part));
  is_handed_over = 1;
}

/* --- what the host says ----------------------------------------------------------------------------------------------------- */

static void take_signals(void) {
  unsigned char information[128];
  while (signals >= 0 && CALL(read, signals, information, sizeof information, 0, 0) == sizeof information) {
    uint64_t interrupt = 1ull << (SIGINT - 1);
    if (number_at(information) == SIGWINCH) send_number('z', (int32_t)size_of_terminal(1));
    if (number_at(information) != SIGINT) continue;
    send_frame('n', 0, 0);
    /* The next one ends the process. */
    CALL(rt_sigprocmask, SIG_UNBLOCK, &interrupt, 0, 8, 0);
  }
}

static void watch_signals(uint64_t mask) {
  CALL(rt_sigprocmask, SIG_BLOCK, &mask, 0, 8, 0);
  uint64_t blocked = 0;
  CALL(rt_sigprocmask, SIG_BLOCK, 0, &blocked, 8, 0);
  blocked &= 1ull << (SIGINT - 1) | 1ull << (SIGWINCH - 1);
  signals = (int)CALL(signalfd4, signals, &blocked, 8, O_CLOEXEC | 04000, 0);
}

/* All of it, whatever the descriptor is; signals are noticed meanwhile. @returns 0 or an error */
static int write_all(int fd, const unsigned char *bytes, size_t length) {
  struct status status = {0};
  status_of(fd, "", AT_EMPTY_PATH, &status);
  int is_file = (status.mode & S_IFMT) == S_IFREG;
  while (length > 0) {
    struct polled polled[2] = {{fd, POLLOUT, 0}, {signals, POLLIN, 0}};
    if (!is_file) CALL(ppoll, polled, signals < 0 ? 1 : 2, 0, 0, 0);
    if (polled[1].got) take_signals();
    if (!is_file && !polled[0].got) continue;
    /* A pipe that takes anything takes so much without waiting. */
    size_t most = is_file || length < PIPE_PART ? length : PIPE_PART;
    long count = CALL(write, fd, bytes, most, 0, 0);
    if (count > 0) bytes += count, length -= (size_t)count;
    else if (count != -EINTR && count != -EAGAIN) return (int)-count;
  }
  return 0;
}

static void print(int fd, const unsigned char *bytes, size_t length) {
  int error = fd == 1 && out_error ? 0 : write_all(fd, bytes, length);
  if (fd == 1 && error == EPIPE) leave(0);
  if (fd == 1 && error) out_error = error;
}

static void read_stdin(void) {
  long count = CALL(read, 0, part, sizeof part, 0, 0);
  if (count == -EINTR || count == -EAGAIN) return;
  wants_stdin = 0;
  if (count < 0) send_number('D', (int32_t)-count);
  else send_frame('d', part, (size_t)count);
}

/* Whether standard input is a pipe or a file with bytes that nobody has read. */
static int has_unread_stdin(void) {
  struct status status = {0};
  int count = 0;
  if (status_of(0, "", AT_EMPTY_PATH, &status) != 0) return 0;
  int kind = status.mode & S_IFMT;
  if (kind == S_IFREG) return status.size > 0;
  return (kind == S_IFIFO || kind == S_IFSOCK) && CALL(ioctl, 0, FIONREAD, &count, 0, 0) == 0 && count > 0;
}

static void reply_status(long result, const struct status *status) {
  unsigned char reply[20];
  put_number(reply, (uint32_t)result);
  put_number(reply + 4, status->mode);
  put_number(reply + 8, status->uid);
  put_number(reply + 12, (uint32_t)status->size);
  put_number(reply + 16, (uint32_t)(status->size >> 32));
  send_frame('r', reply, sizeof reply);
}

static void reply_bytes(long result, const void *bytes) {
  size_t length = result > 0 ? (size_t)result : 0;
  unsigned char number[4];
  put_number(number, (uint32_t)result);
  send_head('r', length + 4);
  send_bytes(number, 4);
  send_bytes(bytes, length);
}

/* One call for a file: what it does, two numbers, and a path or bytes. Files are named by their places in a table. */
static void act_on_file(const unsigned char *from, size_t length) {
  char what = (char)from[0];
  long a = (int32_t)number_at(from + 1), b = (int32_t)number_at(from + 5), result = -ENOENT;
  const char *path = (const char *)from + 9;
  struct status status = {0};
  int fd = a >= 0 && a < MOST_FILES ? files[a] - 1 : -1;
  if (what == 'w') result = -write_all(fd, from + 9, length - 9);
  if (what == 'a') result = CALL(faccessat, AT_FDCWD, path, a, 0, 0);
  if (what == 'm') result = CALL(renameat, AT_FDCWD, path, AT_FDCWD, path + length_of(path) + 1, 0);
  if (what == 'u') result = CALL(unlinkat, AT_FDCWD, path, 0, 0, 0);
  if (what == 't') result = CALL(ftruncate, fd, 0, 0, 0, 0);
  if (what == 'c') result = CALL(fchmod, fd, b, 0, 0, 0);
  if (what == 'y') result = CALL(fsync, fd, 0, 0, 0, 0);
  if (what == 'x') result = CALL(close, fd, 0, 0, 0, 0), files[a >= 0 && a < MOST_FILES ? a : 0] = 0;
  if (what == 'o') {
    int free = 1;
    while (free < MOST_FILES && files[free]) free++;
    result = free == MOST_FILES ? -24 : CALL(openat, AT_FDCWD, path, a | O_CLOEXEC, b, 0);
    if (result >= 0) files[free] = (int)result + 1, result = free;
  }
  if (what == 's') return reply_status(status_of(AT_FDCWD, path, 0, &status), &status);
  if (what == 'l') return reply_status(status_of(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &status), &status);
  if (what == 'f') return reply_status(status_of(fd, "", AT_EMPTY_PATH, &status), &status);
  if (what == 'k') return reply_bytes(CALL(readlinkat, AT_FDCWD, path, part, 4096, 0), part);
  if (what == 'r') {
    do result = CALL(read, fd, part, sizeof part, 0, 0); while (result == -EINTR);
    return reply_bytes(result, part);
  }
  reply_bytes(result > 0 && what != 'o' ? 0 : result, part);
}

static void obey(void) {
  const unsigned char *content = frame + 5;
  size_t length = number_at(frame + 1);
  uint64_t interrupt = 1ull << (SIGINT - 1);
  /* What ends a path. */
  unsigned char after = frame[length + 5];
  frame[length + 5] = 0;
  switch (frame[0]) {
    case 'o': print(1, content, length); break;
    case 'e': print(2, content, length); break;
    case 'b': send_number('b', out_error); break;
    case 'i': wants_stdin = 1; break;
    case 'u': send_number('u', has_unread_stdin()); break;
    case 'I': *content ? watch_signals(interrupt) : (void)CALL(rt_sigprocmask, SIG_UNBLOCK, &interrupt, 0, 8, 0); break;
    case 'f': act_on_file(content, length); break;
    case 'x': leave_to_node("left");
    case 'S': if (!out_error) leave(*content); send_number('b', out_error); break;
    case 's': leave(*content);
    case 'k':
      CALL(rt_sigprocmask, SIG_SETMASK, &first_mask, 0, 8, 0);
      CALL(kill, CALL(getpid, 0, 0, 0, 0, 0), *content, 0, 0, 0);
      leave(128 + *content);
    case 'p': break;
    default: lost("speaks another language");
  }
  frame[length + 5] = after;
}

static void __attribute__((noreturn)) follow(void) {
  for (;;) {
    while (receive()) obey(), drop_frame();
    struct polled polled[3] = {{connection, POLLIN, 0}, {signals, POLLIN, 0}, {wants_stdin ? 0 : -1, POLLIN, 0}};
    struct timespec time = {SILENCE_S, 0};
    long count = CALL(ppoll, polled, 3, &time, 0, 0);
    if (count == 0 && ++silences > MOST_SILENCES) lost("does not answer");
    if (count == 0) send_frame('p', 0, 0);
    if (count > 0 && polled[1].got) take_signals();
    if (count > 0 && polled[2].got) read_stdin();
  }
}

/* As Node does it: no closed standard stream, and no signal that is ignored or blocked by whoever started this. */
static void begin_like_node(void) {
  struct status status;
  uint64_t none = 0;
  for (int fd = 0; fd < 3; fd++)
    if (status_of(fd, "", AT_EMPTY_PATH, &status) != 0) CALL(openat, AT_FDCWD, "/dev/null", O_RDWR, 0, 0);
  CALL(rt_sigprocmask, SIG_SETMASK, &none, &first_mask, 8, 0);
  for (int signal = 1; signal < 32; signal++)
    if (signal != SIGKILL && signal != SIGSTOP) set_action(signal, signal == SIGPIPE || signal == SIGXFSZ);
}

__attribute__((used)) void begin(long *stack) {
  argument_count = (int)stack[0];
  arguments = (char **)(stack + 1);
  environment = arguments + argument_count + 1;
  connection = signals = -1;
  begin_like_node();
  char *renamed[argument_count + 2];
  name_door(renamed);
  is_of_door = argument_count > 1 && is_same(arguments[1], "tmux");
  if (!is_of_door && *variable("T4A_NO_HOST") && !is_same(variable("T4A_NO_HOST"), "0")) leave_to_node("refused");
  if (is_of_door) reach_door();
  else if (!reach_any()) leave_to_node("absent");
  await_greeting(is_of_door ? "tmux" : BUILD);
  hand_over();
  if (is_terminal(1)) watch_signals(1ull << (SIGWINCH - 1));
  follow();
}
