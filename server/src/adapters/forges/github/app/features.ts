import type { FeatureGrant } from '../../app-port.ts'

/** Each permission of a new app with its reason; docs and doctor show them. GitHub's form refuses events without theirs. */
export const FEATURES: readonly FeatureGrant[] = [
  { permission: 'metadata', access: 'read', feature: 'to find repositories, branches, and who may write to them' },
  {
    permission: 'contents',
    access: 'read',
    feature: 'to hear of pushes and releases, read manifests and check out commits',
  },
  {
    permission: 'pull_requests',
    access: 'write',
    feature: 'to read pull requests and their files, write the comment with results, and react to commands',
  },
  { permission: 'checks', access: 'write', feature: 'to show each run as a check with annotations and a rerun button' },
  { permission: 'statuses', access: 'write', feature: 'to show each run as a commit status where checks are not used' },
  { permission: 'issues', access: 'read', feature: 'to hear commands in comments at pull requests' },
  { permission: 'merge_queues', access: 'read', feature: 'to hear of groups in merge queues' },
]

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
