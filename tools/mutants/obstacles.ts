import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findObstacle, listFaults } from './fault.ts'
import { AREAS } from './faults/index.ts'

/** Why faults cannot be planted in the project under `root`, a sentence each; empty: all can. */
export function findObstacles(root: string): readonly string[] {
  return listFaults(Object.values(AREAS).flat()).flatMap((fault) => {
    const path = join(root, fault.file)
    if (!existsSync(path))
      return [`${fault.file} does not exist any more: remove its faults, or name the file as it is now.`]
    const missing = fault.tests.filter((test) => !existsSync(join(root, test)))
    const obstacle = findObstacle(fault, readFileSync(path, 'utf8'))
    return [
      ...(obstacle === undefined ? [] : [obstacle]),
      ...missing.map((test) => `${test} does not exist any more: name the test that notices a fault of ${fault.file}.`),
    ]
  })
}
