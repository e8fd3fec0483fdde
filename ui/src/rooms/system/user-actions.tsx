import { Modal, Text } from '@mantine/core'
import { grantRoutes, userRoutes } from '@signalbox/contracts/access/routes'
import { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import { useMe } from '../../client/session.ts'
import { AllowedButton, CopyAs, FormDialog, ProblemNotice, ShownOnce } from '../../components/index.ts'
import { makePassword, type User } from './user.ts'

const CHANGES = [userRoutes.getUser, userRoutes.listUsers, sessionRoutes.listUserSessions, sessionRoutes.listSessions]

interface UserActionsProps {
  readonly user: User
  readonly etag: string | undefined
}

/** A new password, disable or enable, delete. */
export function UserActions({ user, etag }: UserActionsProps): ReactNode {
  const me = useMe()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'password' | 'disable' | 'delete'>()
  const close = (): void => setDialog(undefined)
  const params = { id: user.id }
  const change = useWrite(userRoutes.updateUser, { changes: CHANGES, onDone: close })
  const remove = useWrite(userRoutes.deleteUser, {
    changes: [userRoutes.listUsers, grantRoutes.listGrants],
    onDone: () => void navigate({ to: '/system/users' }),
  })
  const right = { permission: 'user.write', at: '/', variant: 'default' } as const
  const isSelf = me?.id === user.id ? 'This is you. Another administrator can do it.' : undefined
  return (
    <>
      <NewPassword user={user} etag={etag} isOpen={dialog === 'password'} onClose={close} />
      <AllowedButton {...right} onClick={() => setDialog('password')}>
        New password
      </AllowedButton>
      {user.disabled ? (
        <AllowedButton
          {...right}
          loading={change.isPending}
          onClick={() => change.mutate({ params, body: { disabled: false }, ifMatch: etag })}
        >
          Enable
        </AllowedButton>
      ) : (
        <AllowedButton {...right} obstacle={isSelf} onClick={() => setDialog('disable')}>
          Disable
        </AllowedButton>
      )}
      <AllowedButton {...right} obstacle={isSelf} onClick={() => setDialog('delete')}>
        Delete
      </AllowedButton>
      <CopyAs path={`/v1/users/${user.id}`} command={['user', 'show', user.login]} />
      {dialog === undefined && <ProblemNotice error={change.error} />}
      <FormDialog
        title={`Disable ${user.login}?`}
        isOpen={dialog === 'disable'}
        onClose={close}
        onSubmit={() => change.mutate({ params, body: { disabled: true }, ifMatch: etag })}
        action="Disable"
        isDangerous
        isSending={change.isPending}
        error={change.error}
      >
        <Text>
          Sessions end, and tokens are refused. What starts on behalf of the user starts no more. Roles stay for the day
          on which the user is enabled again.
        </Text>
      </FormDialog>
      <FormDialog
        title={`Delete ${user.login}?`}
        isOpen={dialog === 'delete'}
        onClose={close}
        onSubmit={() => remove.mutate({ params, ifMatch: etag })}
        action="Delete"
        isDangerous
        isSending={remove.isPending}
        error={remove.error}
      >
        <Text>Tokens, roles and sessions of the user go for good. The audit keeps what the user did.</Text>
      </FormDialog>
    </>
  )
}

interface NewPasswordProps extends UserActionsProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** A password that is made here, and shown once the server has it. */
function NewPassword({ user, etag, isOpen, onClose }: NewPasswordProps): ReactNode {
  const [password, setPassword] = useState('')
  const change = useWrite(userRoutes.updateUser, { changes: CHANGES, onDone: onClose })
  return (
    <>
      <FormDialog
        title={`A new password for ${user.login}?`}
        isOpen={isOpen}
        onClose={onClose}
        onSubmit={() => {
          const made = makePassword()
          setPassword(made)
          change.mutate({ params: { id: user.id }, body: { password: made }, ifMatch: etag })
        }}
        action="Create it"
        isDangerous
        isSending={change.isPending}
        error={change.error}
      >
        <Text>The old password is void at once, and the sessions of the user end. Tokens stay.</Text>
      </FormDialog>
      {/* A press beside it closes nothing: the password would be gone. */}
      <Modal
        opened={change.isSuccess}
        onClose={() => {
          change.reset()
          setPassword('')
        }}
        title="The new password"
        size="lg"
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <ShownOnce label={`The password of ${user.login}`} secret={password} />
      </Modal>
    </>
  )
}
