import { describe, expect, test } from 'vitest'
import { layOut } from './layout.ts'
import { move, waysOf } from './moves.ts'
import { foldGraph, type GraphStep, tallyOf } from './step-graph.ts'

const task = (name: string, depends_on: string[] = [], status = 'success') => ({ name, depends_on, status })

function matrix(name: string, count: number, depends_on: string[] = []): GraphStep {
  return { name, depends_on, tasks: Array.from({ length: count }, (_, at) => task(`unit-${at}`)) }
}

const SMALL: readonly GraphStep[] = [
  { name: 'build', depends_on: [], tasks: [task('compile'), task('lint', ['compile'])] },
  { name: 'test', depends_on: ['build'], tasks: [task('unit'), task('e2e')] },
]

describe('folding', () => {
  test('a small graph is drawn whole', () => {
    const shown = foldGraph(SMALL, new Set())
    expect(shown.steps.map(({ items }) => items.map(({ id }) => id))).toEqual([
      ['build/compile', 'build/lint'],
      ['test/unit', 'test/e2e'],
    ])
    expect(shown.itemEdges).toEqual([{ from: 'build/compile', to: 'build/lint' }])
    expect(shown.stepEdges).toEqual([{ from: 'build', to: 'test' }])
  })

  test('the instances of a matrix are one item, until it is unfolded', () => {
    const steps = [matrix('test', 6)]
    const [folded] = foldGraph(steps, new Set()).steps
    expect(folded?.items.map(({ label, tasks }) => [label, tasks.length])).toEqual([['unit-*', 6]])
    expect(foldGraph(steps, new Set(['test/unit-*'])).steps[0]?.items).toHaveLength(6)
  })

  test('two tasks of one matrix keep their edge', () => {
    const values = ['a', 'b', 'c', 'd', 'e']
    const tasks = values.flatMap((each) => [task(`make-${each}`), task(`unit-${each}`, [`make-${each}`])])
    const shown = foldGraph([{ name: 'test', depends_on: [], tasks }], new Set())
    expect(shown.itemEdges).toEqual([{ from: 'test/make-*', to: 'test/unit-*' }])
  })

  test('2,000 tasks are drawn by step', () => {
    const steps = Array.from({ length: 200 }, (_, at) => matrix(`s${at}`, 10, at === 0 ? [] : [`s${at - 1}`]))
    const shown = foldGraph(steps, new Set(['s3']))
    expect(shown.steps.filter(({ isFolded }) => !isFolded).map(({ id }) => id)).toEqual(['s3'])
  })

  test('counts statuses', () => {
    expect(tallyOf([task('a'), task('b', [], 'failure'), task('c')])).toEqual([
      ['success', 2],
      ['failure', 1],
    ])
  })
})

describe('layout', () => {
  test('items lie within their step, and no two overlap', () => {
    const shown = foldGraph([...SMALL, matrix('wide', 40, ['build'])], 'all')
    const { steps, items } = layOut(shown)
    for (const item of items) {
      const step = steps.find(({ id }) => item.id.startsWith(`${id}/`))
      expect(step && item.x >= step.x && item.x + item.width <= step.x + step.width).toBe(true)
      expect(step && item.y >= step.y && item.y + item.height <= step.y + step.height).toBe(true)
      const over = items.filter(
        (other) =>
          other !== item &&
          other.x < item.x + item.width &&
          item.x < other.x + other.width &&
          other.y < item.y + item.height &&
          item.y < other.y + other.height,
      )
      expect(over).toEqual([])
    }
  })

  test('a step stands right of what it depends on', () => {
    const { steps } = layOut(foldGraph(SMALL, new Set()))
    expect(steps[1] && steps[0] && steps[1].x >= steps[0].x + steps[0].width).toBe(true)
  })

  test('an empty graph', () => {
    expect(layOut(foldGraph([], new Set()))).toEqual({ steps: [], items: [] })
  })
})

describe('keyboard', () => {
  const shown = foldGraph(SMALL, new Set())
  const ways = waysOf(shown, layOut(shown))

  test('begins at the first, and ends at the last', () => {
    expect(move(ways, undefined, 'right')).toBe('build/compile')
    expect(move(ways, undefined, 'last')).toBe('test/e2e')
    expect(move(ways, 'build/compile', 'last')).toBe('test/e2e')
  })

  test('goes along edges, within a step and to the next', () => {
    expect(move(ways, 'build/compile', 'right')).toBe('build/lint')
    expect(move(ways, 'build/lint', 'right')).toMatch(/^test\//)
    expect(move(ways, 'test/unit', 'left')).toBe('build/lint')
    expect(move(ways, 'test/unit', 'right')).toBe(undefined)
  })

  test('goes up and down in a column', () => {
    expect(move(ways, 'test/unit', 'down')).toBe('test/e2e')
    expect(move(ways, 'test/e2e', 'up')).toBe('test/unit')
    expect(move(ways, 'test/e2e', 'down')).toBe(undefined)
  })
})
