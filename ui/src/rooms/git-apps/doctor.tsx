import { gitAppRoutes } from '@signalbox/contracts/git-apps/routes'
import type { ReactNode } from 'react'
import { useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  type Column,
  DataList,
  EmptyState,
  ForeignText,
  ProblemNotice,
  Section,
  StatusBadge,
} from '../../components/index.ts'
import { type App, CHANGES, type DoctorStep } from './git-app.ts'

/** Looks for what is wrong with the app, step by step, each with its remedy. */
export function Doctor({ app }: { readonly app: App }): ReactNode {
  const diagnose = useWrite(gitAppRoutes.diagnoseGitApp, { changes: CHANGES })
  const steps = diagnose.data?.steps
  return (
    <Section
      title="Doctor"
      actions={
        <AllowedButton
          permission="git_app.write"
          at="/"
          variant="default"
          loading={diagnose.isPending}
          onClick={() => diagnose.mutate({ params: { provider: app.provider } })}
        >
          Look for what is wrong
        </AllowedButton>
      }
    >
      <ProblemNotice error={diagnose.error} />
      {steps ? (
        <DataList
          label="What the doctor found"
          columns={COLUMNS}
          items={steps}
          keyOf={({ step, installation_id }) => `${step} ${installation_id ?? ''}`}
          empty={null}
        />
      ) : (
        <EmptyState title="Not looked at yet">
          The doctor asks the provider about keys, clock, installations, permissions, webhook and the last delivery.
        </EmptyState>
      )}
    </Section>
  )
}

const WORDS: Readonly<Record<DoctorStep['step'], string>> = {
  key: 'Key',
  clock: 'Clock',
  app: 'App',
  installation: 'Installation',
  permissions: 'Permissions',
  webhook: 'Webhook',
  last_delivery: 'Last delivery',
}

const COLUMNS: readonly Column<DoctorStep>[] = [
  { key: 'result', header: 'Result', isPlain: true, cell: ({ result }) => <StatusBadge status={`doctor_${result}`} /> },
  {
    key: 'step',
    header: 'Looked at',
    isPlain: true,
    cell: ({ step, installation_id }) => `${WORDS[step]}${installation_id === null ? '' : ` ${installation_id}`}`,
  },
  { key: 'sentence', header: 'Found', isPlain: true, cell: ({ sentence }) => <ForeignText>{sentence}</ForeignText> },
  { key: 'remedy', header: 'What to do', cell: ({ remedy }) => <ForeignText>{remedy}</ForeignText> },
]
