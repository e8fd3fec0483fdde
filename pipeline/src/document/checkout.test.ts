import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parsePipeline } from './index.ts'

const documentOf = (pipeline: string, task = ''): string =>
  `name: demo\n${pipeline}steps:\n  - name: one\n    tasks:\n      - { name: only, run: ls${task} }\n`

const checkoutOf = (pipeline: string, task = '') => {
  const result = parsePipeline(documentOf(pipeline, task))
  assert.ok(result.ok, JSON.stringify(result))
  return result.graph.steps[0]?.tasks[0]?.checkout
}

const problemsOf = (pipeline: string, task = '') => {
  const result = parsePipeline(documentOf(pipeline, task))
  return result.ok ? [] : result.problems.map(({ code, directive, message }) => ({ code, directive, message }))
}

const usual = { depth: 1, tags: false, submodules: 'none', lfs: false, sparse: [], merge: false }

describe('the options of a checkout', () => {
  test('are the usual ones where nothing is said, and those of a task replace those of the pipeline', () => {
    assert.equal(checkoutOf(''), true)
    assert.equal(checkoutOf('checkout: true\n'), true)
    assert.equal(checkoutOf('checkout: { depth: 5 }\n', ', checkout: false'), false)
    assert.equal(checkoutOf('checkout: { depth: 5 }\n', ', checkout: true'), true)
    assert.deepEqual(checkoutOf('checkout: { depth: 5, tags: true }\n'), { ...usual, depth: 5, tags: true })
    assert.deepEqual(checkoutOf('checkout: { depth: 5, tags: true }\n', ', checkout: { lfs: true }'), {
      ...usual,
      lfs: true,
    })
    assert.deepEqual(checkoutOf('', ', checkout: { submodules: true }'), { ...usual, submodules: 'direct' })
    assert.deepEqual(checkoutOf('', ', checkout: { submodules: recursive, sparse: [docs, src/web, .github] }'), {
      ...usual,
      submodules: 'recursive',
      sparse: ['docs', 'src/web', '.github'],
    })
    assert.deepEqual(checkoutOf('checkout: { merge: true }\n'), { ...usual, merge: true, depth: 0 })
    assert.deepEqual(checkoutOf('checkout: { merge: true, depth: 0 }\n'), { ...usual, merge: true, depth: 0 })
  })

  test('that are wrong are named, each at its own place', () => {
    const path = 'steps.one.tasks.only.checkout'
    for (const [text, directive, message] of [
      ['maybe', path, /true, false or options/],
      ['{ depht: 1 }', `${path}.depht`, /depth/],
      ['{ depth: -1 }', `${path}.depth`, /from 0 to 1000000/],
      ['{ tags: 1 }', `${path}.tags`, /true or false/],
      ['{ submodules: deep }', `${path}.submodules`, /recursive/],
      ['{ lfs: "yes" }', `${path}.lfs`, /true or false/],
      ['{ sparse: [] }', `${path}.sparse`, /list of folders/],
      ['{ merge: true, depth: 3 }', `${path}.depth`, /needs the whole history/],
    ] as const) {
      const problems = problemsOf('', `, checkout: ${text}`)
      assert.deepEqual(
        problems.map((problem) => problem.directive),
        [directive],
        text,
      )
      assert.match(problems[0]?.message ?? '', message)
    }
    for (const folder of [
      '/docs',
      'docs/',
      '../docs',
      'a/../b',
      '.',
      '-x',
      'a*',
      'a//b',
      '.git',
      'a/.git/b',
      '"a\\nb"',
    ]) {
      const problems = problemsOf(`checkout: { sparse: [${folder.startsWith('"') ? folder : `"${folder}"`}] }\n`)
      assert.deepEqual(
        problems.map((problem) => problem.directive),
        ['checkout.sparse[0]'],
        folder,
      )
    }
  })
})
