"""Drives libtmux through what it can do. Prints a line for each step: two programs that are tmux print the same lines."""
import re
import time

import libtmux


def wait(check):
    for _ in range(200):
        if check():
            return
        time.sleep(0.1)


def step(name, act):
    try:
        value = act()
    except Exception as error:
        value = f"{type(error).__name__}: {error}"
    print(name, "->", re.sub(r"/\S*tmux-\d+/", "SOCKET/", repr(value)))


s=libtmux.Server(socket_name='lt',config_file='/dev/null')
step('alive',lambda:s.is_alive())
ses=s.new_session('one',window_name='first',window_command='exec cat',x=100,y=30)
step('ses',lambda:(ses.name,ses.id,len(ses.windows)))
step('dup',lambda:s.new_session('one'))
step('kill dup',lambda:s.new_session('one',kill_session=True,window_name='first',window_command='exec cat',x=100,y=30).name)
ses=s.sessions[0]
step('has',lambda:(s.has_session('one'),s.has_session('on'),s.has_session('on',exact=False)))
step('sessions',lambda:[(x.name,x.session_windows,x.session_attached) for x in s.sessions])
win=ses.new_window('w2',attach=False,window_shell='exec cat')
step('win',lambda:(win.name,win.id,win.index,win.window_width,win.window_height,win.window_layout))
step('windows',lambda:[(x.name,x.index,x.window_active) for x in ses.windows])
p=win.split_window(attach=False,shell='exec cat'); q=win.split_window(vertical=False,shell='exec cat',percent=30)
step('panes',lambda:[(x.id,x.pane_width,x.pane_height,x.pane_active,x.pane_current_command) for x in win.panes])
step('layout',lambda:(win.select_layout('main-horizontal'),win.refresh(),win.window_layout)[2])
step('layout2',lambda:win.select_layout('bogus'))
step('rename',lambda:(win.rename_window('newname').name,ses.rename_session('uno').name))
step('opt',lambda:(win.set_window_option('main-pane-height',10),win.show_window_option('main-pane-height'))[1])
step('opts',lambda:win.show_window_options())
step('gopt',lambda:sorted(s.sessions[0].show_options(_global=True).items())[:20])
step('sopt',lambda:(ses.set_option('status','off'),ses.show_option('status'),ses.show_options())[1:])
step('bad opt',lambda:ses.set_option('nosuch','1'))
step('bad opt2',lambda:ses.show_option('nosuch'))
step('amb opt',lambda:ses.show_option('status-'))
step('user opt',lambda:(ses.set_option('@u','hello world'),ses.show_option('@u'))[1])
step('env',lambda:(ses.set_environment('FOO','bar'),ses.getenv('FOO'),ses.show_environment().get('FOO'),ses.unset_environment('FOO'),ses.remove_environment('FOO'))[1:3])
step('env2',lambda:(ses.getenv('FOO'),ses.getenv('NOPE')))
a=ses.attached_pane
step('send',lambda:a.send_keys('hello',enter=True))
wait(lambda:'hello' in '\n'.join(a.capture_pane()))
step('cap',lambda:a.capture_pane())
step('cap2',lambda:a.capture_pane('-','-'))
step('cap3',lambda:a.capture_pane(0,1))
step('lit',lambda:a.send_keys('C-c Enter',literal=True,enter=False,suppress_history=True))
wait(lambda:'C-c' in '\n'.join(a.capture_pane()))
step('cap4',lambda:a.capture_pane())
step('display',lambda:a.display_message('#{pane_id} #{session_name} #{window_index}',get_text=True))
step('width',lambda:(q.set_width(20),q.refresh(),q.pane_width)[2])
step('height',lambda:(q.set_height(5),q.refresh(),q.pane_height)[2])
step('resize',lambda:(q.resize_pane(height=7),q.refresh(),q.pane_height)[2])
step('sel',lambda:(win.select_pane(q.id).id,win.select_pane('-U').id,win.select_pane('-l').id))
step('last',lambda:win.last_pane().id)
step('selw',lambda:(ses.select_window('newname').name,ses.attached_window.index))
step('move',lambda:(win.move_window('9'),win.refresh(),win.index)[1:])
step('kill others',lambda:(win.kill_window(),[x.name for x in ses.windows])[1])
step('clear',lambda:(a.clear(),a.reset()))
step('clients',lambda:s.cmd('list-clients').stdout)
step('cmd err',lambda:(s.cmd('foo').stderr,s.cmd('has-session','-t','zz').stderr,s.cmd('switch-client','-t','uno').stderr))
step('attach',lambda:s.attach_session('uno'))
step('switch',lambda:s.switch_client('uno'))
step('search',lambda:[x.id for x in s.panes])
step('filter',lambda:[x.name for x in s.sessions.filter(session_name='uno')])
step('find',lambda:[x.name for x in s.windows.filter(window_index__startswith='0')])
step('kill',lambda:s.kill_session('uno'))
# tmux answers while it ends, for a moment.
wait(lambda:not s.is_alive())
step('alive',lambda:s.is_alive())
