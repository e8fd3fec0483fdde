import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseImageReference } from '@signalbox/pipeline/images'
import { choosePolicy, refusal } from './image-rules.ts'
import { RegistryList } from './registry-list.ts'

const listOf = (text: string): RegistryList => {
  const list = RegistryList.read(text)
  assert.ok(!('problem' in list))
  return list
}

const refusalOf = (list: string, text: string): string | undefined => {
  const image = parseImageReference(text)
  assert.ok(!('problem' in image))
  return refusal({ registries: listOf(list), pullPolicies: ['always'] }, text, image)
}

describe('the registries that a runner allows', () => {
  test('are hosts, folders of them and single images', () => {
    const list = 'ghcr.io/acme/*, quay.io, index.docker.io/library/*, registry:5000/web, localhost'
    for (const allowed of [
      'ghcr.io/acme/web:1',
      'ghcr.io/acme/a/b',
      'quay.io/x',
      'alpine',
      'registry:5000/web',
      'localhost/x',
    ]) {
      assert.equal(refusalOf(list, allowed), undefined, allowed)
    }
    for (const other of [
      'ghcr.io/acme',
      'ghcr.io/acmeevil/x',
      'acme/web',
      'registry:5000/web2',
      'registry/web',
      'quay.io.evil.example/x',
      'localhost:5000/x',
    ]) {
      assert.match(
        refusalOf(list, other) ?? '',
        /^This runner takes no image .+ --registries ghcr\.io\/acme\/\*, quay\.io, /,
        other,
      )
    }
  })

  test('that mean nothing are refused', () => {
    for (const text of [
      '',
      'ghcr.io,',
      'https://ghcr.io',
      '*',
      '*.io',
      'ghcr.io/../*',
      'ghcr.io/acme:1',
      'GHCR.io',
      'ghcr.io/a*',
    ]) {
      assert.ok('problem' in RegistryList.read(text), text)
    }
  })
})

test('a pull policy is one that the runner allows, and its first for tasks that want none', () => {
  const rules = { registries: undefined, pullPolicies: ['missing', 'always'] } as const
  assert.deepEqual([choosePolicy(rules, ''), choosePolicy(rules, 'always')], ['missing', 'always'])
  assert.deepEqual(choosePolicy(rules, 'never'), {
    problem:
      'This runner takes no pull_policy never: it was started with --pull-policies missing,always. Write one of those, or leave it out.',
  })
})
