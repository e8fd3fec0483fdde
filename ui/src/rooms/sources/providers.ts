/** What each provider calls the values that a person pastes there; docs/providers has the whole. */
export interface Provider {
  readonly id: string
  readonly name: string
  /** Where the form is. */
  readonly where: string
  readonly addressField: string
  readonly secretField: string
  readonly contentType?: string
  readonly events: string
  /** An app, or a connection, may stand for the secret. */
  readonly hasApp?: true
}

const GITEA_LIKE = {
  where: 'Repository → Settings → Webhooks → Add Webhook.',
  addressField: 'Target URL',
  secretField: 'Secret',
  contentType: 'application/json',
  events: 'Push, Create, Delete, Pull Request, Issue Comment',
} as const

export const PROVIDERS: readonly Provider[] = [
  {
    id: 'github',
    name: 'GitHub',
    where: 'Repository or organisation → Settings → Webhooks → Add webhook.',
    addressField: 'Payload URL',
    secretField: 'Secret',
    contentType: 'application/json',
    events: 'Pushes, Pull requests, Issue comments, Branch or tag creation and deletion',
    hasApp: true,
  },
  {
    id: 'gitlab',
    name: 'GitLab',
    where: 'Project or group → Settings → Webhooks → Add new webhook.',
    addressField: 'URL',
    secretField: 'Secret token, or signing token',
    events: 'Push events, Tag push events, Comments, Merge request events',
    hasApp: true,
  },
  { id: 'gitea', name: 'Gitea', ...GITEA_LIKE, hasApp: true },
  { id: 'forgejo', name: 'Forgejo', ...GITEA_LIKE, hasApp: true },
  { id: 'gogs', name: 'Gogs', ...GITEA_LIKE, addressField: 'Payload URL' },
  {
    id: 'bitbucket',
    name: 'Bitbucket Cloud',
    where: 'Repository → Repository settings → Webhooks → Add webhook.',
    addressField: 'URL',
    secretField: 'Secret',
    events: 'Repository: Push; Pull request: Created, Updated, Merged, Declined, Comment created',
  },
  {
    id: 'bitbucket_datacenter',
    name: 'Bitbucket Data Center',
    where: 'Repository → Repository settings → Webhooks → Create webhook.',
    addressField: 'URL',
    secretField: 'Secret',
    events: 'Repository: Push; Pull request: all',
  },
  {
    id: 'azure_devops',
    name: 'Azure DevOps',
    where: 'Project settings → Service hooks → Create subscription → Web Hooks.',
    addressField: 'URL',
    secretField: 'Basic authentication username and password',
    events: 'Code pushed, Pull request created, updated and commented on',
  },
  {
    id: 'generic',
    name: 'Another sender',
    where: 'Send what the page of generic senders in docs/providers describes.',
    addressField: 'Address',
    secretField: 'Key of the signature',
    contentType: 'application/json',
    events: 'the events of Signalbox itself',
  },
]
