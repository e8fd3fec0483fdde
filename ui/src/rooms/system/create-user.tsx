import { Modal, Select, Text, TextInput } from '@mantine/core'
import { userRoutes } from '@signalbox/contracts/access/routes'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import { FormDialog, fieldError, PageButton, ShownOnce } from '../../components/index.ts'
import { makePassword } from './user.ts'

const WAYS = [
  { value: 'password', label: 'A password, made now and shown once' },
  { value: 'provider', label: 'A provider: link the account afterwards' },
]

/** Makes a user; a password is made here, and shown once the server has it. */
export function CreateUser({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [login, setLogin] = useState('')
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [way, setWay] = useState('password')
  const [password] = useState(makePassword)
  const create = useWrite(userRoutes.createUser, { changes: [userRoutes.listUsers] })
  if (create.isSuccess) {
    return (
      // A press beside it closes nothing: the password would be gone.
      <Modal
        opened
        onClose={onClose}
        title={`The user ${create.data.login}`}
        size="lg"
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {create.data.has_password && <ShownOnce label={`The password of ${create.data.login}`} secret={password} />}
        <Text my="md">Next, give the user a role, or link an account at a provider.</Text>
        <PageButton to="/system/users/$id" params={{ id: create.data.id }}>
          Open the user
        </PageButton>
      </Modal>
    )
  }
  return (
    <FormDialog
      title="Create a user"
      isOpen
      onClose={onClose}
      onSubmit={() =>
        create.mutate({
          body: {
            login,
            ...(name.trim() === '' ? {} : { name: name.trim() }),
            ...(email.trim() === '' ? {} : { email: email.trim() }),
            ...(way === 'password' ? { password } : {}),
          },
        })
      }
      action="Create"
      isSending={create.isPending}
      error={create.error}
      marked={['login', 'name', 'email']}
    >
      <TextInput
        label="Login"
        description="Lower-case letters, digits and . _ @ + -"
        required
        autoComplete="off"
        value={login}
        error={fieldError(create.error, 'login')}
        onChange={({ currentTarget }) => setLogin(currentTarget.value)}
      />
      <TextInput
        label="Name"
        description="Empty: the login."
        autoComplete="off"
        value={name}
        error={fieldError(create.error, 'name')}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="off"
        value={email}
        error={fieldError(create.error, 'email')}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <Select
        label="Signs in by"
        allowDeselect={false}
        data={WAYS}
        value={way}
        onChange={(chosen) => setWay(chosen ?? 'password')}
      />
    </FormDialog>
  )
}
