import { spawn } from 'node:child_process'

// The machine's own rate of starting processes from Node, with pipes for both outputs as the runner has them.

const parallel = Number(process.argv[2])
const until = performance.now() + Number(process.argv[3])
let count = 0

async function keepStarting(): Promise<void> {
  while (performance.now() < until) {
    const child = spawn('/bin/true', { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.resume()
    child.stderr.resume()
    await new Promise((resolve) => child.once('close', resolve))
    count += 1
  }
}

const started = performance.now()
await Promise.all(Array.from({ length: parallel }, keepStarting))
process.on('disconnect', () => process.exit(0))
process.send?.(count / ((performance.now() - started) / 1000))
