import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DOCTOR_STEPS } from '../../contracts/src/git-apps/doctor.ts'
import { INSTALLATION_STATUSES } from '../../contracts/src/git-apps/installation.ts'
import { FEATURES } from '../../server/src/adapters/forges/github/app/features.ts'
import { root } from './pages.ts'

const text = readFileSync(join(root, 'docs/git-apps.md'), 'utf8')

/** The cells of the table below a heading, row by row. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const [, section = ''] = text.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  const lines = own.split('\n').filter((line) => line.startsWith('| `'))
  return lines.map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
}

test('the permissions are those that a registration asks for, each with its reason', () => {
  assert.deepEqual(
    rowsBelow('Permissions').map(([, permission, access, feature]) => ({ permission, access, feature })),
    FEATURES.map(({ permission, access, feature }) => ({ permission, access, feature })),
  )
})

test('each step of the doctor and each status of an installation is explained', () => {
  assert.deepEqual(
    rowsBelow('Doctor').map(([, step]) => step),
    [...DOCTOR_STEPS],
  )
  assert.deepEqual(
    rowsBelow('Install')
      .map(([, status]) => status ?? '')
      .toSorted(),
    [...INSTALLATION_STATUSES].toSorted(),
  )
})
