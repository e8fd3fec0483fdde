import { findMajor } from './binaries.ts'
import { examineCluster } from './examine-cluster.ts'
import { chooseOwner } from './owner.ts'

/** Inspects the cluster without a start: throws the same DatabaseRefused as a start would. Changes nothing. */
export function inspectCluster(dataDir: string): 'absent' | 'whole' {
  return examineCluster(dataDir, chooseOwner(), findMajor())
}
