import { Stack } from '@mantine/core'
import { externalTriggerRoutes } from '@signalbox/contracts/external-triggers/routes'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import { AllowedButton, PageButton, PageHeader, PageLink, ProblemNotice } from '../../components/index.ts'
import { EVERY_TEAM } from '../../shell/index.ts'
import { documentOf, emptyDraft } from './external-trigger.ts'
import { EXTERNAL_TRIGGER_FIELDS, ExternalTriggerFields } from './external-trigger-fields.tsx'
import styles from './external-trigger-page.module.css'
import { ShownSecret } from './shown-secret.tsx'

const page = getRouteApi('/shell/t/$team/external-triggers/new')

/** An external trigger that is not there yet; once made, its secret. */
export function NewExternalTriggerPage(): ReactNode {
  const { team } = page.useParams()
  const [draft, setDraft] = useState(() => emptyDraft(team === EVERY_TEAM ? '' : team))
  const create = useWrite(externalTriggerRoutes.createExternalTrigger, {
    changes: [externalTriggerRoutes.listExternalTriggers],
  })
  return (
    <>
      <PageHeader
        title="Create an external trigger"
        sentence="Another system starts one pipeline with its secret, and can do nothing else."
        breadcrumb={[
          <PageLink key="list" to="/t/$team/external-triggers" params={{ team }}>
            External triggers
          </PageLink>,
        ]}
      />
      <div className={styles['form']}>
        {create.isSuccess ? (
          <>
            <ShownSecret made={create.data} />
            <PageButton to="/external-triggers/$id" params={{ id: create.data.id }}>
              I have it
            </PageButton>
          </>
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              create.mutate({ body: documentOf(draft) })
            }}
          >
            <Stack gap="md" align="stretch">
              <ExternalTriggerFields draft={draft} onChange={setDraft} error={create.error} />
              <ProblemNotice error={create.error} marked={EXTERNAL_TRIGGER_FIELDS} />
              <AllowedButton
                type="submit"
                permission="external_trigger.write"
                at={draft.teamPath === '' ? '/' : draft.teamPath}
                loading={create.isPending}
              >
                Create
              </AllowedButton>
            </Stack>
          </form>
        )}
      </div>
    </>
  )
}
