import { createLog } from '#platform/log'
import { systemClock } from '#platform/time'
import type { MakingStep } from '../make-cluster.ts'
import { startEmbedded } from '../server.ts'

// The first start of a data folder in a process of its own: dies by SIGKILL at the named step, else says where it serves.

const [dataDir = '', dieAt] = process.argv.slice(2)
const reached = (step: MakingStep): void => {
  if (step === dieAt) process.kill(process.pid, 'SIGKILL')
}
const log = createLog({ level: 'silent', pretty: false })
const server = await startEmbedded({ dataDir, log, clock: systemClock, reached })
process.stdout.write(`${server.url}\n`)
