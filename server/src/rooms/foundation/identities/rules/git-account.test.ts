import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issuersOf, readGitIssuer } from './git-account.ts'

test('an administrator names an account at a Git provider by its number', () => {
  assert.deepEqual(readGitIssuer('git:github', '583231'), { issuer: 'git:github:https://github.com' })
  assert.deepEqual(readGitIssuer('git:gitea:https://Git.example.com/sub/', '7'), {
    issuer: 'git:gitea:https://git.example.com/sub',
  })
  for (const [name, subject] of [
    ['git:github', 'mona'],
    ['git:github', '0'],
    ['git:github', '583231 '],
    ['git:gitlab', '-1'],
    ['git:gitea', '7'],
    ['git:', '7'],
    ['git:github:ftp://x', '7'],
    ['git:github:https://user@x', '7'],
  ] as const) {
    const read = readGitIssuer(name, subject)
    assert.ok(read && 'fault' in read, `${name} ${subject}`)
  }
  assert.equal(readGitIssuer('github', '7'), undefined)
  assert.equal(readGitIssuer('https://sso.example.com', '7'), undefined)
})

test('the subject of a provider of sign-in counts where that is this Git provider', () => {
  const git = { provider: 'gitlab', baseUrl: 'https://gitlab.example.com' }
  const signIns = [
    { issuer: 'https://gitlab.example.com', git },
    { issuer: 'https://sso.example.com', git: undefined },
    { issuer: 'https://other.example.com', git: { ...git, baseUrl: 'https://other.example.com' } },
    { issuer: 'https://forge.example.com', git: { ...git, provider: 'forgejo' } },
  ]
  const account = { provider: 'gitlab', baseUrl: 'https://GitLab.example.com', accountId: '7' }
  assert.deepEqual(issuersOf(signIns, account), ['https://gitlab.example.com', 'git:gitlab:https://gitlab.example.com'])
})
