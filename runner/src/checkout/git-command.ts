import { Buffer } from 'node:buffer'
import type { Owner, ProcessEnd, StartProcess } from '../processes/running-process.ts'
import type { Time } from '../time/index.ts'

export interface GitRun {
  directory: string
  environment: Readonly<Record<string, string>>
  owner: Owner | undefined
  signal: AbortSignal
  start: StartProcess
  time: Time
  timeoutMs: number
}

export interface GitResult {
  ok: boolean
  stdout: string
  stderr: string
  reason: string
}

const OUTPUT_LIMIT = 64 * 1024

function describe(end: ProcessEnd, aborted: boolean, timedOut: boolean, seconds: number): string {
  if (timedOut) return `it took longer than ${seconds} s`
  if (aborted) return 'the task was stopped'
  switch (end.kind) {
    case 'exited':
      return end.exitCode === 0 ? '' : `git ended with exit code ${end.exitCode}`
    case 'signaled':
      return `git was ended by ${end.signal}`
    case 'not_started':
    case 'failed':
    case 'broken_off':
    case 'not_begun':
      return end.reason
  }
}

/** Runs git with these arguments, in a process group of its own. Never throws. */
export function runGit(run: GitRun, args: readonly string[]): Promise<GitResult> {
  return new Promise((resolve) => {
    const texts = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
    const lengths = { stdout: 0, stderr: 0 }
    let timedOut = false
    const group = run.start(
      { file: 'git', args, environment: run.environment, directory: run.directory, owner: run.owner },
      {
        started: () => {},
        output: (stream, bytes) => {
          if (lengths[stream] > OUTPUT_LIMIT) return
          lengths[stream] += bytes.length
          texts[stream].push(bytes)
        },
        ended: (end) => {
          timer.stop()
          run.signal.removeEventListener('abort', kill)
          const reason = describe(end, run.signal.aborted, timedOut, run.timeoutMs / 1000)
          const text = (parts: readonly Buffer[]) => Buffer.concat(parts).toString('utf8').trim()
          resolve({ ok: reason === '', stdout: text(texts.stdout), stderr: text(texts.stderr), reason })
        },
      },
    )
    const kill = () => group.signal('SIGKILL')
    const timer = run.time.after(run.timeoutMs, () => {
      timedOut = true
      kill()
    })
    run.signal.addEventListener('abort', kill)
    if (run.signal.aborted) kill()
  })
}
