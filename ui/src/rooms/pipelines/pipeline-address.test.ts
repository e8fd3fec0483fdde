import { expect, test } from 'vitest'
import { readPipelineAddress } from './pipeline-address.ts'

test('the address names the tab, the form, the versions and what is unfolded, and nothing else', () => {
  expect(readPipelineAddress({ tab: 'versions', version: 3, with: '2', run: true, colour: 'red' })).toEqual({
    tab: 'versions',
    version: 3,
    with: 2,
    run: true,
  })
  expect(readPipelineAddress({ tab: 'toString', version: -1, with: 1.5, run: 'yes' })).toEqual({})
  expect(readPipelineAddress({ tab: 'document', open: ['build'] })).toEqual({ tab: 'document', open: ['build'] })
  expect(readPipelineAddress({ version: true, with: null })).toEqual({})
})
