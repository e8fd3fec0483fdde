import { describe, expect, test } from 'vitest'
import type { RunStep, RunTask } from '../run.ts'
import { criticalPathOf } from './critical-path.ts'
import { ticksOf, timeScaleOf } from './time-scale.ts'

const at = (seconds: number): string => new Date(seconds * 1000).toISOString()

function task(name: string, span: readonly [number, number] | undefined, depends_on: string[] = []): RunTask {
  return {
    name,
    kind: 'run',
    depends_on,
    status: span ? 'success' : 'skipped',
    reason: null,
    waiting_reason: null,
    attempt: span ? 1 : 0,
    exit_code: span ? 0 : null,
    retry_at: null,
    started_at: span ? at(span[0]) : null,
    finished_at: at(span ? span[1] : 0),
    attempts: [],
  }
}

function step(name: string, depends_on: string[], tasks: RunTask[]): RunStep {
  const ran = tasks.some(({ started_at }) => started_at !== null)
  return { name, depends_on, status: 'success', reason: null, started_at: ran ? at(0) : null, finished_at: null, tasks }
}

describe('critical path', () => {
  test('goes back over what each task waited for longest', () => {
    const steps = [
      step('build', [], [task('quick', [0, 1]), task('slow', [0, 9])]),
      step('docs', [], [task('html', [0, 5])]),
      step('test', ['build', 'docs'], [task('unit', [9, 12]), task('e2e', [12, 20], ['unit'])]),
    ]
    expect([...criticalPathOf(steps, 0)]).toEqual(['test/e2e', 'test/unit', 'build/slow'])
  })

  test('passes by a step that was skipped', () => {
    const steps = [
      step('build', [], [task('make', [0, 9])]),
      step('maybe', ['build'], [task('not', undefined)]),
      step('last', ['maybe'], [task('end', [9, 10])]),
    ]
    expect([...criticalPathOf(steps, 0)]).toEqual(['last/end', 'build/make'])
  })

  test('a task that still runs ends now', () => {
    const running = { ...task('long', [0, 0]), finished_at: null }
    expect([...criticalPathOf([step('a', [], [task('short', [0, 5]), running])], 60_000)]).toEqual(['a/long'])
  })

  test('of a run that has not begun there is none', () => {
    expect(criticalPathOf([step('a', [], [task('b', undefined)])], 0).size).toBe(0)
  })
})

describe('scale', () => {
  const minute = 60_000

  test('is straight while something runs', () => {
    const scale = timeScaleOf({ from: 0, to: 10 * minute }, [{ from: 0, to: 10 * minute }])
    expect(scale.folds).toEqual([])
    expect([0, 5 * minute, 10 * minute].map(scale.placeOf)).toEqual([0, 0.5, 1])
  })

  test('folds an idle hour to a narrow stretch', () => {
    const scale = timeScaleOf({ from: 0, to: 62 * minute }, [
      { from: 0, to: minute },
      { from: 61 * minute, to: 62 * minute },
    ])
    expect(scale.folds).toHaveLength(1)
    expect(scale.placeOf(minute)).toBeCloseTo(0.48)
    expect(scale.placeOf(61 * minute)).toBeCloseTo(0.52)
    expect(scale.placeOf(62 * minute)).toBeCloseTo(1)
  })

  test('never goes backward', () => {
    const scale = timeScaleOf({ from: 0, to: 1000 * minute }, [
      { from: 5 * minute, to: 6 * minute },
      { from: 700 * minute, to: 720 * minute },
    ])
    const places = Array.from({ length: 1001 }, (_, each) => scale.placeOf(each * minute))
    expect(places.every((place, index) => index === 0 || place >= (places[index - 1] ?? 0))).toBe(true)
    expect(places.at(-1)).toBeCloseTo(1)
  })

  test('has few ticks, and none within a fold', () => {
    const scale = timeScaleOf({ from: 0, to: 62 * minute }, [
      { from: 0, to: minute },
      { from: 61 * minute, to: 62 * minute },
    ])
    const ticks = ticksOf(scale)
    expect(ticks.length).toBeLessThanOrEqual(10)
    expect(ticks.every(({ after }) => after <= minute || after >= 61 * minute)).toBe(true)
  })
})
