import { NEEDED_PERMISSIONS } from '@signalbox/contracts/git-apps/words'
import type { FeatureGrant } from '../../app-port.ts'

/** Each permission of a new app with its reason. GitHub's form refuses events without theirs. */
export const FEATURES: readonly FeatureGrant[] = NEEDED_PERMISSIONS

/** News of installations comes by itself. */
export const EVENTS: readonly string[] = [
  'push',
  'create',
  'delete',
  'pull_request',
  'pull_request_review',
  'issue_comment',
  'release',
  'merge_group',
  'check_run',
  'check_suite',
  'repository',
]
