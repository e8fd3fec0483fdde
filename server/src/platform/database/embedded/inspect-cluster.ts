import { findMajor } from './binaries.ts'
import { examineCluster } from './examine-cluster.ts'
import { chooseOwner } from './owner.ts'

/** What a start would find, without a start: throws DatabaseRefused as that would. Changes nothing. */
export function inspectCluster(dataDir: string): 'absent' | 'whole' {
  return examineCluster(dataDir, chooseOwner(), findMajor())
}
