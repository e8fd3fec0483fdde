import { expect, test } from 'vitest'
import { readDocumentText } from '../reading/reading.ts'
import { TEMPLATES } from './templates.ts'

test.each(Object.values(TEMPLATES))('$label is a sound document', ({ document }) => {
  const { problems, warnings } = readDocumentText(document)
  expect({ problems, warnings }).toEqual({ problems: [], warnings: [] })
})
