import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { isPagesReport, type OpenPage, type PagesOrder, type PagesReport } from './open-pages.ts'
import { isRoundResult, type Round, type RoundResult } from './round.ts'

/** A helper process of a benchmark, which ends with it. */
export interface Child {
  readonly pid: number
  stop(): Promise<void>
}

/** A server that the ingress is measured against: it takes the same deliveries at `path`. */
export interface Rival extends Child {
  readonly port: number
  readonly path: string
}

export interface Deliverer extends Child {
  play(round: Round): Promise<RoundResult>
}

export async function startNodeRival(file: string, secret: string): Promise<Rival> {
  const { child, first } = await start(file, [secret])
  return { ...handle(child), port: Number(first), path: '/' }
}

export async function startDeliverer(): Promise<Deliverer> {
  const { child } = await start('deliveries-process.ts', [])
  return {
    ...handle(child),
    async play(round) {
      const answer = nextMessage(child)
      child.send(round)
      const result = await answer
      if (!isRoundResult(result)) throw new Error(`The load generator failed: ${JSON.stringify(result)}`)
      return result
    },
  }
}

/** Pages that stay open, in a process of their own. */
export interface Pages extends Child {
  /** Resolves when each is told of changes. */
  open(url: string, pages: readonly OpenPage[]): Promise<void>
  /** What happened since the last report. */
  report(): Promise<PagesReport>
  close(): Promise<void>
}

export async function startPages(): Promise<Pages> {
  const { child } = await start('pages-process.ts', [])
  const ask = async (order: PagesOrder): Promise<unknown> => {
    const answer = nextMessage(child)
    child.send(order)
    return answer
  }
  return {
    ...handle(child),
    async open(url, pages) {
      const answer = await ask({ order: 'open', url, pages })
      if (answer !== 'opened') throw new Error(`Pages could not be opened: ${JSON.stringify(answer)}`)
    },
    async report() {
      const report = await ask({ order: 'report' })
      if (!isPagesReport(report)) throw new Error(`The process of open pages failed: ${JSON.stringify(report)}`)
      return report
    },
    close: async () => void (await ask({ order: 'close' })),
  }
}

/** Connections that send a byte a second; resolves when all have begun. */
export async function startSlowSenders(target: { readonly port: number; readonly path: string }, connections: number) {
  const { child } = await start('slow-senders-process.ts', [String(target.port), target.path, String(connections)])
  const longest = nextMessage(child).then(Number)
  return { ...handle(child), longestLifeMs: () => longest }
}

/** How many /bin/true this machine starts and reaps per second from Node, so many at once. */
export async function spawnRate(parallel: number, durationMs: number): Promise<number> {
  const { child, first } = await start('spawn-process.ts', [String(parallel), String(durationMs)])
  await handle(child).stop()
  return Number(first)
}

async function start(file: string, args: readonly string[]): Promise<{ child: ChildProcess; first: unknown }> {
  const child = fork(join(import.meta.dirname, file), args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  return { child, first: await nextMessage(child) }
}

function handle(child: ChildProcess): Child {
  return {
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.disconnect()
      await ended
    },
  }
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`A process of the benchmark ended (${code}).`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(message)
    })
  })
}
