import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Report } from './report.ts'

/**
 * The bars of the web application, measured in a real browser. They have a process of their own, as their code is checked
 * with the types of a browser. SIGNALBOX_BENCH_WEB names the parts that are wanted, such as `loading graphs`.
 */
export function benchWeb(): Promise<Report> {
  return reportOf('web/program.ts')
}

/** What open pages cost one control plane. Some are real tabs, so this is a process of its own, too. */
export function benchOpenPages(): Promise<Report> {
  return reportOf('web/open-pages.ts')
}

async function reportOf(program: string): Promise<Report> {
  const child = fork(join(import.meta.dirname, program), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const message = await answerOf(child)
  if (!isReport(message)) throw new Error('The bench of the web application answered no report.')
  return message
}

function answerOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The bench of the web application ended (${code}).`)))
    child.once('message', resolve)
  })
}

function isReport(message: unknown): message is Report {
  return typeof message === 'object' && message !== null && 'name' in message && 'figures' in message
}
