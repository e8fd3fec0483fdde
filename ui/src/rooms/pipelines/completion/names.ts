import { type Place, placeAt } from '../reading/places.ts'
import { ITEM, type Level } from './place-in-yaml.ts'

/** The names that may stand in `depends_on`: of the other steps, or of the other tasks of the same step. */
export function namesAt(places: readonly Place[], path: readonly Level[], line: number): readonly string[] {
  const shape = path.map((level) => (level === ITEM ? '*' : level)).join('.')
  const here = placeAt(places, line)
  if (shape === 'steps.*.depends_on.*') {
    return places.flatMap(({ step, task }) => (task === undefined && step !== here?.step ? [step] : []))
  }
  if (shape !== 'steps.*.tasks.*.depends_on.*') return []
  return places.flatMap(({ step, task }) =>
    task !== undefined && step === here?.step && task !== here.task ? [task] : [],
  )
}
