/* The system calls of Linux that the client makes, without a C library: so one file runs in every container of an architecture. */
#include <stddef.h>
#include <stdint.h>

#if defined __x86_64__
enum {
  SYS_read = 0, SYS_write = 1, SYS_close = 3, SYS_rt_sigaction = 13, SYS_rt_sigprocmask = 14, SYS_ioctl = 16, SYS_getpid = 39,
  SYS_socket = 41, SYS_connect = 42, SYS_getsockopt = 55, SYS_clone = 56, SYS_execve = 59, SYS_kill = 62, SYS_fsync = 74, SYS_ftruncate = 77,
  SYS_getcwd = 79, SYS_chdir = 80, SYS_fchmod = 91, SYS_umask = 95, SYS_getuid = 102, SYS_geteuid = 107, SYS_getppid = 110, SYS_setsid = 112, SYS_getsid = 124,
  SYS_exit_group = 231, SYS_openat = 257, SYS_unlinkat = 263, SYS_renameat = 264, SYS_readlinkat = 267, SYS_faccessat = 269,
  SYS_ppoll = 271, SYS_signalfd4 = 289, SYS_dup3 = 292, SYS_pipe2 = 293, SYS_statx = 332,
  SYS_close_range = 436
};
__asm__(".globl _start\n_start:\n xor %ebp,%ebp\n mov %rsp,%rdi\n and $-16,%rsp\n call begin\n");

static long call(long number, long a, long b, long c, long d, long e) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8) : "rcx", "r11", "memory");
  return result;
}
#elif defined __aarch64__
enum {
  SYS_getcwd = 17, SYS_dup3 = 24, SYS_ioctl = 29, SYS_unlinkat = 35, SYS_renameat = 38, SYS_ftruncate = 46, SYS_faccessat = 48, SYS_chdir = 49, SYS_fchmod = 52,
  SYS_openat = 56, SYS_close = 57, SYS_pipe2 = 59, SYS_read = 63, SYS_write = 64, SYS_ppoll = 73, SYS_signalfd4 = 74, SYS_readlinkat = 78,
  SYS_fsync = 82, SYS_exit_group = 94, SYS_kill = 129, SYS_rt_sigaction = 134, SYS_rt_sigprocmask = 135, SYS_getsid = 156, SYS_setsid = 157,
  SYS_umask = 166, SYS_getpid = 172, SYS_getppid = 173, SYS_getuid = 174, SYS_geteuid = 175, SYS_socket = 198, SYS_connect = 203,
  SYS_getsockopt = 209, SYS_clone = 220, SYS_execve = 221, SYS_statx = 291, SYS_close_range = 436
};
__asm__(".globl _start\n_start:\n mov x29,#0\n mov x0,sp\n bl begin\n");

static long call(long number, long a, long b, long c, long d, long e) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
  return x0;
}
#else
#error "no system calls are known for this processor"
#endif

#define CALL(name, a, b, c, d, e) call(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e))

enum { AT_FDCWD = -100, AT_SYMLINK_NOFOLLOW = 0x100, AT_EMPTY_PATH = 0x1000, STATX_BASIC = 0x7ff };
enum { O_RDONLY = 0, O_RDWR = 2, O_CLOEXEC = 02000000, X_OK = 1, R_OK = 4 };
enum { ENOENT = 2, EINTR = 4, EAGAIN = 11, EPIPE = 32, ENAMETOOLONG = 36, ECONNREFUSED = 111 };
enum { POLLIN = 1, POLLOUT = 4 };
enum { SIGINT = 2, SIGKILL = 9, SIGPIPE = 13, SIGSTOP = 19, SIGXFSZ = 25, SIGWINCH = 28 };
enum { SIG_BLOCK = 0, SIG_UNBLOCK = 1, SIG_SETMASK = 2 };
enum { AF_UNIX = 1, SOCK_STREAM_NONBLOCK_CLOEXEC = 1 | 04000 | 02000000, SOL_SOCKET = 1, SO_PEERCRED = 17 };
enum { TCGETS = 0x5401, TIOCGWINSZ = 0x5413, FIONREAD = 0x541b };
enum { S_IFMT = 0170000, S_IFIFO = 0010000, S_IFCHR = 0020000, S_IFDIR = 0040000, S_IFREG = 0100000, S_IFSOCK = 0140000 };

struct polled { int fd; short events, got; };
struct timespec { int64_t s, ns; };
struct address { uint16_t family; char path[108]; };
struct credentials { int32_t pid; uint32_t uid, gid; };
struct action { uintptr_t handler; unsigned long flags; uintptr_t restorer; uint64_t mask; };
/* https://man7.org/linux/man-pages/man2/statx.2.html */
struct status {
  uint32_t mask, blksize; uint64_t attributes; uint32_t nlink, uid, gid; uint16_t mode, pad; uint64_t ino, size, blocks, known;
  struct { int64_t s; uint32_t ns, pad; } times[4];
  uint32_t rdev_major, rdev_minor, dev_major, dev_minor; uint64_t more[14];
};

/* The compiler calls these by itself. */
void *memcpy(void *to, const void *from, size_t length) {
  for (size_t i = 0; i < length; i++) ((volatile char *)to)[i] = ((const char *)from)[i];
  return to;
}
void *memset(void *to, int byte, size_t length) {
  for (size_t i = 0; i < length; i++) ((volatile char *)to)[i] = (char)byte;
  return to;
}
static size_t length_of(const char *text) {
  size_t length = 0;
  while (text[length]) length++;
  return length;
}
static int is_same(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}
static int begins(const char *text, const char *with) {
  while (*with && *text == *with) text++, with++;
  return *with == 0;
}
