import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEntry } from '../testing/run-samples.ts'
import { lineFilter } from './line-filter.ts'

test('a followed log shows the lines of the step, task and attempt that were asked for, and those that hold the text', () => {
  const entry = anEntry({ step: 'build', task: 'unit', attempt: 2, line: 'all fine' })
  for (const choice of [{}, { step: 'build' }, { task: 'unit', attempt: 2 }, { search: 'FINE' }]) {
    assert.equal(lineFilter(choice)(entry), true, JSON.stringify(choice))
  }
  for (const choice of [{ step: 'other' }, { task: 'x' }, { attempt: 1 }, { search: 'bad' }]) {
    assert.equal(lineFilter(choice)(entry), false, JSON.stringify(choice))
  }
})
