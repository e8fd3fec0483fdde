import { parseDocument } from 'yaml'
import { parsePipeline } from '../pipeline/src/document/index.ts'
import type { Figure, Report } from './report.ts'
import { median } from './stats.ts'

const TASKS = 2_000
const ROUNDS = 21

/**
 * The cost of validation, compared with reading the same text with positions by `yaml` alone; in this process, without
 * a database.
 */
export async function benchValidate(): Promise<Report> {
  const documents = [
    { what: 'each task written out, with references', text: written() },
    { what: 'made by matrices, with references', text: combined() },
  ]
  return {
    name: 'validate',
    says: `documents of ${TASKS} tasks; ${ROUNDS} rounds, each beside reading the same by the library yaml`,
    figures: documents.flatMap(({ what, text }) => measure(what, text)),
  }
}

function measure(what: string, text: string): Figure[] {
  const validating: number[] = []
  const reading: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const started = performance.now()
    parseDocument(text, { uniqueKeys: false })
    const read = performance.now()
    const result = parsePipeline(text)
    const done = performance.now()
    if (!result.ok || result.pipeline.taskCount !== TASKS) throw new Error(`The document of ${what} is not as meant.`)
    // The first round makes ready what later ones use.
    if (round === 0) continue
    reading.push(read - started)
    validating.push(done - read)
  }
  const ratios = validating.map((time, at) => time / (reading[at] ?? time))
  return [
    {
      what: `${what}: ${Math.round(text.length / 1024)} KiB validated, p50`,
      value: median(validating),
      unit: 'ms',
      atMost: 500,
    },
    { what: 'the library alone, p50', value: median(reading), unit: 'ms' },
    // Of a short document that becomes many tasks, nearly all is ours.
    ...(text.length > 100_000
      ? [{ what: 'against the library alone', value: median(ratios), unit: 'x', atMost: 2 }]
      : [{ what: 'against the library alone', value: median(ratios), unit: 'x' }]),
  ]
}

/** 20 steps of 100 tasks, each behind the one before it, each with an output of the step before. */
function written(): string {
  const steps = Array.from({ length: 20 }, (_, step) => {
    const tasks = Array.from({ length: TASKS / 20 }).map((__, task) => {
      const after = task === 0 ? '' : `, depends_on: [t${task - 1}]`
      const uses = step === 0 ? '' : `, env: { A: $steps.s${step - 1}.t${task}.outputs.o }`
      return `      - { name: t${task}, run: npm test ${task}, timeout: 10m, outputs: { o: }${after}${uses} }\n`
    })
    const after = step === 0 ? '' : `    depends_on: [s${step - 1}]\n`
    return `  - name: s${step}\n${after}    tasks:\n${tasks.join('')}`
  })
  return `name: written\nsteps:\n${steps.join('')}`
}

/** 8 steps of 10 tasks in 25 combinations. */
function combined(): string {
  const axis = `[${Array.from({ length: 5 }, (_, at) => `"${at}"`).join(', ')}]`
  const steps = Array.from({ length: 8 }, (_, step) => {
    const tasks = Array.from({ length: 10 }).map((__, task) => {
      const after = task === 0 ? '' : `, depends_on: [t${task - 1}]`
      const own = task === 0 ? '' : `, B: $steps.s${step}.t${task - 1}.outputs.o`
      const all = step === 0 ? '' : `, C: $steps.s${step - 1}.t${task}.outputs.o`
      const env = `env: { A: "\${{ matrix.a }}"${own}${all} }`
      return `      - { name: t${task}, run: npm test, image: "node:\${{ matrix.a }}", outputs: { o: }${after}, ${env} }\n`
    })
    const after = step === 0 ? '' : `    depends_on: [s${step - 1}]\n`
    return `  - name: s${step}\n${after}    matrix: { a: ${axis}, b: ${axis} }\n    tasks:\n${tasks.join('')}`
  })
  return `name: combined\nsteps:\n${steps.join('')}`
}
