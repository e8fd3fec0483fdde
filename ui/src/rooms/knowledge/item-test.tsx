import { Button, Text, TextInput } from '@mantine/core'
import { knowledgeRoutes } from '@signalbox/contracts/knowledge/routes'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { call } from '../../client/index.ts'
import { ForeignText, FormRow, fieldError, ProblemNotice, Section } from '../../components/index.ts'
import type { KnowledgeItem } from './item.ts'

/** What the saved rule says of a run, or a task, that one describes. Nothing is stored, nothing starts. */
export function ItemTest({ item }: { readonly item: KnowledgeItem }): ReactNode {
  const test = useMutation({
    mutationFn: ({ pipeline, scope, image }: Described) =>
      call(knowledgeRoutes.testKnowledgeItem, {
        params: { id: item.id },
        body: {
          run: { pipeline, scope },
          ...(image === '' ? {} : { step: { name: 'step' }, task: { name: 'task', kind: 'run', image } }),
        },
      }),
  })
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string): string => String(form.get(name) ?? '')
    test.mutate({ pipeline: text('pipeline'), scope: text('scope'), image: text('image') })
  }
  return (
    <Section title="What would it say of …">
      <form onSubmit={submit}>
        <FormRow>
          <TextInput name="pipeline" label="Pipeline" required error={fieldError(test.error, 'run.pipeline')} />
          <TextInput name="scope" label="Scope" required error={fieldError(test.error, 'run.scope')} />
          <TextInput name="image" label="Image of a task" error={fieldError(test.error, 'task.image')} />
          <Button type="submit" variant="default" size="sm" loading={test.isPending}>
            Try it
          </Button>
        </FormRow>
      </form>
      <ProblemNotice error={test.error} marked={['run.pipeline', 'run.scope', 'task.image']} />
      {test.data && (
        <Text mt="sm" component="output" display="block">
          {!test.data.applies
            ? 'Its scope does not fit: it would not be asked.'
            : !test.data.judged
              ? `It is not judged where a ${test.data.at} begins.`
              : test.data.violation === null
                ? 'It holds: nothing would be stopped.'
                : ''}
          <ForeignText>{test.data.violation}</ForeignText>
        </Text>
      )}
    </Section>
  )
}

interface Described {
  readonly pipeline: string
  readonly scope: string
  /** Empty: the run is described, and no task. */
  readonly image: string
}
