import type { GitAppError, GitAppOutcome } from './app.ts'

type Words = readonly [title: string, sentence: string]

/** What a way back did, as a person reads it. */
export const OUTCOME_WORDS: Readonly<Record<GitAppOutcome, Words>> = {
  registered: ['The app is registered', 'Its keys are stored. Install it now where its repositories are.'],
  installed: [
    'The app is installed',
    'Its repositories send events from now on. Below stand the teams that may use it.',
  ],
  updated: ['The installation has changed', 'Its repositories are read again.'],
}

/** Why it changed nothing, and what to do. */
export const ERROR_WORDS: Readonly<Record<GitAppError, Words>> = {
  state_mismatch: [
    'The answer belongs to nothing that was begun here',
    'It came twice, or to another browser than the one that began it. Begin again in this browser. Nothing has changed.',
  ],
  expired: ['It took too long', 'What was begun counts for a limited time. Begin again. Nothing has changed here.'],
  denied: ['The provider says no', 'It was refused or canceled there. Nothing has changed here.'],
  pending_approval: [
    'An owner of the organization has to agree',
    'The provider has asked them. The installation appears below once they have agreed.',
  ],
  exchange_failed: [
    'The provider did not hand over the app',
    'The app may exist at the provider without its keys being here. Delete it there, then register again.',
  ],
  provider_unreachable: [
    'The provider did not answer',
    'An app that was made there meanwhile has no keys here: delete it there. Try again in a while.',
  ],
  installation_unknown: [
    'The provider does not know this installation',
    'It belongs to another app, or is gone already. Install the app again.',
  ],
  already_registered: [
    'Another app is registered already',
    'The stored one stays as it is. Delete the new one at the provider, or forget the stored one first.',
  ],
  not_registered: ['No app is registered here', 'Register one first, then install it.'],
  unavailable: [
    'The control plane could not finish it',
    'Its log says why. Look below whether the app is there, and begin again if it is not.',
  ],
  interrupted: [
    'The service ended while it asked the provider',
    'An app that was made there has no keys here: if there is one, delete it there. Then register again.',
  ],
}

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
