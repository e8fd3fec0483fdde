/** A permission that features of this version need of an app, with what it is for: the end of a sentence. */
export interface NeededPermission {
  readonly permission: string
  readonly access: 'read' | 'write'
  readonly feature: string
}

/** Of an app at GitHub. A registration asks for them, the doctor and the page explain them; docs/git-apps.md lists them. */
export const NEEDED_PERMISSIONS: readonly NeededPermission[] = [
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
