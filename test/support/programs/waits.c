/* Prints, for each way to wait for a pipe, what /proc/PID/syscall says of a process that does: name, tab, line. */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const NAMES[] = {
    "read", "readv", "poll(-1)", "poll(5000)", "ppoll(none)", "ppoll(5 s)", "select(none)", "select(5 s)",
    "pselect(none)", "pselect(5 s)", "epoll_wait(-1)", "epoll_wait(5000)", "epoll_pwait(-1)", "epoll_pwait(5000)",
};
enum { WAYS = sizeof NAMES / sizeof *NAMES };

static long wait_for(int fd, int way) {
  char byte;
  struct iovec vector = {&byte, 1};
  struct pollfd polled = {fd, POLLIN, 0};
  struct timespec seconds = {5, 0};
  struct timeval interval = {5, 0};
  struct epoll_event event = {.events = EPOLLIN};
  int epoll = epoll_create1(0);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(fd, &set);
  epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
  switch (way) {
  case 0: return read(fd, &byte, 1);
  case 1: return readv(fd, &vector, 1);
  case 2: return poll(&polled, 1, -1);
  case 3: return poll(&polled, 1, 5000);
  case 4: return ppoll(&polled, 1, NULL, NULL);
  case 5: return ppoll(&polled, 1, &seconds, NULL);
  case 6: return select(fd + 1, &set, NULL, NULL, NULL);
  case 7: return select(fd + 1, &set, NULL, NULL, &interval);
  case 8: return pselect(fd + 1, &set, NULL, NULL, NULL, NULL);
  case 9: return pselect(fd + 1, &set, NULL, NULL, &seconds, NULL);
  case 10: return epoll_wait(epoll, &event, 1, -1);
  case 11: return epoll_wait(epoll, &event, 1, 5000);
  case 12: return epoll_pwait(epoll, &event, 1, -1, NULL);
  default: return epoll_pwait(epoll, &event, 1, 5000, NULL);
  }
}

static void read_file(pid_t pid, const char *name, char *text, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
  FILE *file = fopen(path, "r");
  size_t length = file == NULL ? 0 : fread(text, 1, size - 1, file);
  text[length] = 0;
  if (file != NULL) fclose(file);
}

int main(void) {
  int fds[2];
  if (pipe(fds) != 0) return 1;
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  for (int way = 0; way < WAYS; way++) {
    pid_t pid = fork();
    if (pid == 0) _exit((int)wait_for(fds[0], way));
    char stat[512], line[512];
    do {
      usleep(1000);
      read_file(pid, "stat", stat, sizeof stat);
    } while (strstr(stat, ") S ") == NULL);
    read_file(pid, "syscall", line, sizeof line);
    printf("%s\t%s", NAMES[way], line);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
  }
  return 0;
}
