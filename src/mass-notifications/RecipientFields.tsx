import Link from '@mui/material/Link'
import { useMemo } from 'react'
import { type Control, Controller } from 'react-hook-form'
import { Link as RouterLink } from 'react-router-dom'

import { groupsApi } from '#contract/groups/api.ts'
import { useCan } from '#providers/useCan.ts'
import { useText } from '#src/kit/useText.ts'

import { ChoiceList } from './ChoiceList.tsx'
import { ContactPicker } from './ContactPicker.tsx'
import { type Draft, useContactLists, useNotifiableGroups } from './queries.ts'

interface Props {
  control: Control<Draft>
}

function ListsField({ control }: Props) {
  const text = useText()
  const { data, error, refetch } = useContactLists()
  const choices = useMemo(
    () =>
      data?.map(({ name, count }) => ({
        id: name,
        name,
        note: text('massNotifications.contactCount', { smart_count: count }),
      })),
    [data, text],
  )
  return (
    <Controller
      control={control}
      name="contactListIds"
      render={({ field, fieldState }) => (
        <ChoiceList
          label={text('massNotifications.contactLists')}
          choices={choices}
          failed={
            error
              ? { text: text('massNotifications.listsNotLoaded'), retry: () => void refetch() }
              : undefined
          }
          filterLabel={text('massNotifications.filterLists')}
          empty={
            <>
              {text('massNotifications.noListsYet')}{' '}
              <Link component={RouterLink} to="/mass-notifications/contacts" underline="always">
                {text('massNotifications.importContacts')}
              </Link>
            </>
          }
          value={field.value}
          onChange={field.onChange}
          inputRef={field.ref}
          error={fieldState.error?.message}
        />
      )}
    />
  )
}

function GroupsField({ control }: Props) {
  const text = useText()
  const can = useCan()
  const manages = can(groupsApi.list.access)
  const { data, error, refetch } = useNotifiableGroups(true)
  const choices = useMemo(
    () =>
      data?.map(({ id, name, userCount, userPhoneCount, canAccess }) => ({
        id,
        name,
        disabled: !canAccess,
        note: canAccess
          ? text(
              userPhoneCount < userCount ? 'massNotifications.userPhoneCount' : 'massNotifications.userCount',
              { smart_count: userCount, phones: userPhoneCount },
            )
          : text('massNotifications.notYours'),
      })),
    [data, text],
  )
  return (
    <Controller
      control={control}
      name="groupIds"
      render={({ field, fieldState }) => (
        <ChoiceList
          label={text('massNotifications.groups')}
          side={
            manages && (
              <Link component={RouterLink} to="/groups">
                {text('massNotifications.manageGroups')}
              </Link>
            )
          }
          choices={choices}
          failed={
            error
              ? { text: text('massNotifications.groupsNotLoaded'), retry: () => void refetch() }
              : undefined
          }
          filterLabel={text('massNotifications.filterGroups')}
          goneName={text('massNotifications.group')}
          empty={text('massNotifications.noGroupsYet')}
          value={field.value}
          onChange={field.onChange}
          inputRef={field.ref}
          error={fieldState.error?.message}
        />
      )}
    />
  )
}

/** The recipients: lists, single contacts, and groups if the organisation uses them (administration §6). */
export function RecipientFields({ control, withGroups }: Props & { withGroups: boolean }) {
  return (
    <>
      <ListsField control={control} />
      <Controller
        control={control}
        name="contactIds"
        render={({ field, fieldState }) => (
          <ContactPicker
            value={field.value}
            onChange={field.onChange}
            inputRef={field.ref}
            error={fieldState.error?.message}
          />
        )}
      />
      {withGroups && <GroupsField control={control} />}
    </>
  )
}
