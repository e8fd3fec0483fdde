import { readdirSync, readFileSync } from 'node:fs'

/** Ways in which a task leaves a process behind. Each process has `token` among its arguments. */
export const waysToStay: Readonly<Record<string, (token: string) => string>> = {
  'a session of its own': (token) =>
    `setsid sh -c 'exec sleep 1000' ${token} & setsid sh -c 'sleep 1000; :' ${token} &`,
  'a session without environment, outside of the workspace': (token) =>
    `cd /; env -i setsid sh -c 'while :; do sleep 1; done' ${token} &`,
  'a child of a child, for which nobody waits': (token) =>
    `(cd /; env -i setsid sh -c 'env -i setsid sh -c "while :; do sleep 1; done" ${token} & exit' &) &`,
  nohup: (token) => `nohup sh -c 'while :; do sleep 1; done' ${token} > /dev/null 2>&1 &`,
  'no signal heard': (token) =>
    `cd /; env -i setsid sh -c 'trap "" TERM HUP INT; while :; do sleep 1; done' ${token} &`,
  'output held open': (token) => `cd /; env -i setsid sh -c 'while :; do echo more; sleep 0.2; done' ${token} &`,
  'another process again and again': (token) =>
    `hop='sleep 0.01; sh -c "$0" "$0" "$1" & exit'; cd /; env -i setsid sh -c "$hop" "$hop" ${token} &`,
  // Each of them stays when the account has no room for another process: a shell that cannot fork would end.
  'more and more processes': (token) =>
    `bomb='trap "exec tail -f /dev/null $1" EXIT; while :; do sh -c "$0" "$0" "$1" & sleep 0.1; done'; cd /
    ulimit -u 150 2> /dev/null || ulimit -p 150; env -i setsid sh -c "$bomb" "$bomb" ${token} > /dev/null 2>&1 &`,
}

/** Processes that have this word among their arguments. */
export const processesWith = (token: string): number[] =>
  readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').includes(token) ? [Number(pid)] : []
    } catch {
      return []
    }
  })
