/* What makes the client one of the tmux door: the socket that a command line of tmux means, by the rules of src/tmux/places.ts. */

static const char *last_part(const char *path) {
  const char *name = path;
  for (; *path; path++)
    if (*path == '/') name = path + 1;
  return name;
}

static int is_one_of(char letter, const char *letters) {
  while (*letters && *letters != letter) letters++;
  return letter && *letters == letter;
}

/* A command line of `tmux` as one of `t4a tmux`. @param to has room for one word more */
static void name_door(char **to) {
  static char t4a[] = "t4a", tmux[] = "tmux";
  if (argument_count < 1 || !is_same(last_part(arguments[0]), tmux)) return;
  to[0] = t4a, to[1] = tmux;
  for (int i = 1; i <= argument_count; i++) to[i + 1] = arguments[i];
  arguments = to, argument_count++;
}

/* Verbs that start no door, as programs spell them. */
static const char *const ASKING[] = {"has-session", "has", "list-sessions", "ls", "list-panes", "list-windows", "kill-server", "kill-session",
                                     "capture-pane", "display-message", "send-keys", "show-options", 0};

static int verb_of_door;

/* Says that no door is there, unless a command may start it. */
static void refuse_without_door(const char *path) {
  struct status status;
  char saved[128];
  int is_missing = status_of(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &status) == -ENOENT, is_asking = 0;
  if (!is_missing && refusal != -ECONNREFUSED) return;
  /* A door that was killed is made anew. */
  append(append(saved, saved + sizeof saved, path), saved + sizeof saved, ".state");
  if (is_readable(saved)) return;
  for (int i = verb_of_door; i < argument_count; i++) {
    const char *word = arguments[i];
    if (*word && word[length_of(word) - 1] == ';') return;
    for (const char *const *verb = ASKING; i == verb_of_door && *verb; verb++) is_asking |= is_same(word, *verb);
  }
  if (!is_asking) return;
  say(is_missing ? "error connecting to " : "no server running on ");
  say(path), say(is_missing ? " (No such file or directory)\n" : "\n");
  leave(1);
}

/* Whether $TMUX is about a server of tmux itself, by the folder of its socket. */
static int is_of_tmux(const char *inherited) {
  for (; *inherited && *inherited != ','; inherited++) {
    const char *at = inherited, *folder = "/tmux-";
    while (*folder && *at == *folder) at++, folder++;
    if (!*folder && *at >= '0' && *at <= '9') return 1;
  }
  return 0;
}

/* @returns where the path ends; undefined for what tmux does not know, or what Node alone does */
static char *place_of_door(char *path, char *end) {
  const char *socket = "", *label = 0;
  int i = 2;
  for (; i < argument_count && arguments[i][0] == '-' && arguments[i][1]; i++) {
    const char *flag = arguments[i] + 1;
    if (is_same(flag, "-")) {
      i++;
      break;
    }
    for (; *flag; flag++) {
      if (*flag == 'V') CALL(write, 1, "tmux 3.3a\n", 10, 0, 0), leave(0);
      if (is_one_of(*flag, "2lNquv")) continue;
      if (!is_one_of(*flag, "LSfT")) return 0;
      const char *value = flag[1] ? flag + 1 : i + 1 < argument_count ? arguments[++i] : 0;
      if (!value || (*flag == 'S' && !*value)) return 0;
      if (*flag == 'L') label = value;
      if (*flag == 'S') socket = value;
      break;
    }
  }
  verb_of_door = i;
  if (*socket) return append(path, end, socket);
  const char *inherited = variable("TMUX");
  if (!label && *inherited && *inherited != ',' && !is_of_tmux(inherited)) {
    while (*inherited && *inherited != ',' && path < end - 1) *path++ = *inherited++;
    return path;
  }
  path = append(path, end, *variable("TMUX_TMPDIR") ? variable("TMUX_TMPDIR") : "/tmp");
  path = append_number(append(path, end, "/t4a-tmux-"), end, (uint64_t)CALL(getuid, 0, 0, 0, 0, 0));
  return append(append(path, end, "/"), end, label ? label : "default");
}

/* A door that is not there is started by Node. */
static void reach_door(void) {
  struct address address = {AF_UNIX, {0}};
  char *end = address.path + sizeof address.path, *at = place_of_door(address.path, end);
  int fits = at && at < end - 1, is_there = fits && connect_to(&address);
  if (fits && !is_there) refuse_without_door(address.path);
  if (!is_there) leave_to_node("refused");
  append(place, place + sizeof place, address.path);
}
