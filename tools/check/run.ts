import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { CHECKS, FIXES, type Step } from './steps.ts'

// npm run check, npm run fix (--fix): one short line per step, and all of a step's words only where it failed.

const root = resolve(import.meta.dirname, '../..')

interface Outcome {
  readonly step: Step
  readonly passed: boolean
  readonly seconds: number
  readonly output: string
}

function runStep(step: Step): Promise<Outcome> {
  const started = performance.now()
  const words = step.bin === 'node' ? step.words : [join(root, 'node_modules', step.bin), ...step.words]
  return new Promise((settle, fail) => {
    const child = spawn(process.execPath, words, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1' },
    })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.once('error', fail)
    child.once('close', (code) => {
      const seconds = (performance.now() - started) / 1000
      settle({ step, passed: code === 0, seconds, output: Buffer.concat(chunks).toString() })
    })
  })
}

function report({ step, passed, seconds, output }: Outcome): void {
  console.info(`${passed ? 'ok    ' : 'failed'} ${step.name.padEnd(10)} ${seconds.toFixed(1).padStart(5)} s`)
  if (!passed) console.info(`\n${output.trimEnd()}\n`)
}

/** Runs the steps, `width` at a time; answers the names of failed ones. */
async function runAll(steps: readonly Step[], width: number): Promise<readonly string[]> {
  const waiting = steps.values()
  const failed: string[] = []
  const worker = async () => {
    for (const step of waiting) {
      const outcome = await runStep(step)
      report(outcome)
      if (!outcome.passed) failed.push(step.name)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return failed
}

const fixing = process.argv.includes('--fix')
const failed = await runAll(fixing ? FIXES : CHECKS, fixing ? 1 : 2)
if (failed.length > 0) {
  const advice = fixing
    ? 'could not be fixed by itself'
    : '"npm run fix" mends format, much of lint, and what is generated'
  console.info(`${failed.join(', ')} failed; ${advice}`)
  process.exitCode = 1
}
