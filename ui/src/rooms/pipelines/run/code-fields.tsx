import { Fieldset, Group, Radio, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useMayDo } from '../../../client/session.ts'
import { BranchField } from '../../../components/branch-field.tsx'
import { fieldError, lackOf } from '../../../components/index.ts'
import type { RunDraft } from './run-draft.ts'

interface CodeFieldsProps {
  readonly teamPath: string
  readonly draft: RunDraft
  readonly onChange: (draft: RunDraft) => void
  readonly error: Error | null
}

const WAYS = [
  { value: 'none', label: 'None, an empty folder' },
  { value: 'repository', label: 'Branch or tag' },
  { value: 'address', label: 'Commit by address' },
] as const
type Way = (typeof WAYS)[number]['value']

const NO_CODE = { repository: '', ref: '', cloneUrl: '', commit: '' }

/** The code that its tasks start with. */
export function CodeFields({ teamPath, draft, onChange, error }: CodeFieldsProps): ReactNode {
  const [way, setWay] = useState<Way>('none')
  const mayChoose = useMayDo()('pipeline.write', teamPath)
  const field = (name: keyof typeof NO_CODE, apiName: string) => ({
    value: draft[name],
    error: fieldError(error, apiName),
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      onChange({ ...draft, [name]: currentTarget.value }),
  })
  return (
    <Fieldset legend="Code">
      <Stack gap="sm">
        <Radio.Group
          aria-label="Code that its tasks start with"
          description={mayChoose ? undefined : lackOf('pipeline.write', teamPath)}
          value={way}
          onChange={(chosen) => {
            setWay(WAYS.find(({ value }) => value === chosen)?.value ?? 'none')
            onChange({ ...draft, ...NO_CODE })
          }}
        >
          <Group gap="lg">
            {WAYS.map(({ value, label }) => (
              <Radio key={value} value={value} label={label} disabled={!mayChoose} />
            ))}
          </Group>
        </Radio.Group>
        {way === 'repository' && (
          <>
            <TextInput
              label="Repository"
              description="A webhook source that you may see must reach it."
              placeholder="acme/shop"
              required
              {...field('repository', 'repository')}
            />
            <BranchField
              repository={draft.repository}
              description="main, or refs/tags/v1. Its newest commit is looked up now."
              required
              value={draft.ref}
              error={fieldError(error, 'ref')}
              onChange={(ref) => onChange({ ...draft, ref })}
            />
          </>
        )}
        {way === 'address' && (
          <>
            <TextInput
              label="Clone address"
              placeholder="https://git.example/acme/shop.git"
              required
              {...field('cloneUrl', 'clone_url')}
            />
            <TextInput label="Commit" description="Its whole name." required {...field('commit', 'commit_sha')} />
          </>
        )}
      </Stack>
    </Fieldset>
  )
}
