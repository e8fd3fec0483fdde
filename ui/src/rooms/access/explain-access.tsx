import { Select, Text } from '@mantine/core'
import type { Permission } from '@signalbox/contracts/access'
import { accessExplanationRoutes, identityRoutes } from '@signalbox/contracts/access/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../../client/index.ts'
import { Findings } from '../../components/findings.tsx'
import { Facts, ForeignText, FormRow, Instant, ProblemNotice, Section } from '../../components/index.ts'
import { isPermission } from './access.ts'
import type { AccessQuestion } from './members-address.ts'
import { SubjectSelect } from './subject-select.tsx'

interface ExplainAccessProps {
  readonly place: string
  readonly question: AccessQuestion
  readonly onAsk: (question: AccessQuestion) => void
}

/** "Why may this person do that here?": the grants that give it, or what would. */
export function ExplainAccess({ place, question, onAsk }: ExplainAccessProps): ReactNode {
  const table = useQuery(read(identityRoutes.listPermissions))
  const names = table.data?.permissions.map(({ name }) => name) ?? []
  const { subject, permission } = question
  return (
    <Section title="Why may somebody do something here?">
      <FormRow>
        <SubjectSelect
          value={subject ?? ''}
          onChange={(chosen) => onAsk({ ...question, ...(chosen === '' ? {} : { subject: chosen }) })}
        />
        <Select
          label="Permission"
          searchable
          allowDeselect={false}
          data={[...names]}
          value={permission ?? null}
          onChange={(chosen) => onAsk({ ...question, ...(chosen === null ? {} : { permission: chosen }) })}
        />
      </FormRow>
      {subject !== undefined && isPermission(permission, names) && (
        <Answer query={{ subject, permission, team_path: place }} />
      )}
    </Section>
  )
}

interface AnswerProps {
  readonly query: { readonly subject: string; readonly permission: Permission; readonly team_path: string }
}

function Answer({ query }: AnswerProps): ReactNode {
  const answer = useQuery(read(accessExplanationRoutes.explainAccess, { query }))
  if (!answer.data) return <ProblemNotice error={answer.error} onRetry={() => void answer.refetch()} />
  const { findings, grants, remedies, hidden_grants } = answer.data
  return (
    <>
      <Findings label="Why" findings={findings} />
      <Facts
        facts={[
          ...grants.map(
            ({ grant_id, role, team_path, group, created_at, created_by }) =>
              [
                `${role} at ${team_path === '/' ? 'the platform' : team_path}`,
                <span key={grant_id}>
                  {group ? `by the group ${group.name}, ` : 'directly, '}
                  {created_by !== null && (
                    <>
                      given by <ForeignText>{created_by}</ForeignText>,{' '}
                    </>
                  )}
                  <Instant at={created_at} />
                </span>,
              ] as const,
          ),
          ...remedies.map(
            ({ role, team_path, givers }) =>
              [
                `${role} at ${team_path === '/' ? 'the platform' : team_path} would do`,
                givers.length > 0 ? `${givers.join(', ')} can give it` : 'nobody whom you may see can give it',
              ] as const,
          ),
        ]}
      />
      {hidden_grants && <Text c="dimmed">There are grants besides that you may not see.</Text>}
    </>
  )
}
