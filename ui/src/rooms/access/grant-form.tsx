import { Select } from '@mantine/core'
import { grantRoutes } from '@signalbox/contracts/access/routes'
import { memberRoutes } from '@signalbox/contracts/members/routes'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import { FormDialog, fieldError, useTeamPaths } from '../../components/index.ts'
import { isRole, ROLES, type Role } from './access.ts'
import { SubjectSelect } from './subject-select.tsx'

interface GrantFormProps {
  /** A team path, or "/" for the platform. */
  readonly place: string
  readonly onClose: () => void
}

/** Gives a role at a team. */
export function GrantForm({ place, onClose }: GrantFormProps): ReactNode {
  const [subject, setSubject] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [at, setAt] = useState(place)
  const give = useWrite(grantRoutes.createGrant, {
    changes: [grantRoutes.listGrants, memberRoutes.listTeamMembers],
    onDone: onClose,
  })
  return (
    <FormDialog
      title="Give a role"
      isOpen
      onClose={onClose}
      onSubmit={() => give.mutate({ body: { subject, role, team_path: at } })}
      action="Give"
      isSending={give.isPending}
      error={give.error}
      marked={['subject', 'role', 'team_path']}
    >
      <SubjectSelect value={subject} onChange={setSubject} error={fieldError(give.error, 'subject')} />
      <Select
        label="Role"
        required
        allowDeselect={false}
        data={[...ROLES]}
        value={role}
        error={fieldError(give.error, 'role')}
        onChange={(chosen) => {
          if (isRole(chosen)) setRole(chosen)
        }}
      />
      <Select
        label="At"
        description="The role holds there and below."
        required
        searchable
        allowDeselect={false}
        data={[{ value: '/', label: 'The platform' }, ...useTeamPaths().map((path) => ({ value: path, label: path }))]}
        value={at}
        error={fieldError(give.error, 'team_path')}
        onChange={(path) => setAt(path ?? place)}
      />
    </FormDialog>
  )
}
