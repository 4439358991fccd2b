import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import Paper from '@mui/material/Paper'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { managedUsersApi } from '#contract/managed-users/api.ts'
import { call } from '#providers/api.ts'
import { Awaiting, isAwaiting } from '#src/kit/feedback/Awaiting.tsx'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { useText } from '#src/kit/useText.ts'

const useRoles = () =>
  useQuery({
    queryKey: ['managed-users', 'userRoles'],
    queryFn: ({ signal }) => call(managedUsersApi.userRoles, { signal }),
  })
const usePermissions = () =>
  useQuery({
    queryKey: ['managed-users', 'userPermissions'],
    queryFn: ({ signal }) => call(managedUsersApi.userPermissions, { signal }),
  })
type Permission = NonNullable<ReturnType<typeof usePermissions>['data']>[number]

/** Details of a permission, or a hint to choose one. */
function Inspector({ permission }: { permission: Permission | undefined }) {
  const text = useText()
  const facts = permission && [
    [text('management.roles.roles'), permission.roles.map((role) => text(`app.roles.${role}`)).join(', ')],
    [text('management.roles.needs'), permission.needs ?? text('management.roles.nothing')],
    [
      text('management.roles.externals'),
      text(permission.isForExternals ? 'configItems.yes' : 'configItems.no'),
    ],
    [text('management.roles.keys'), text(permission.isForApiKeys ? 'configItems.yes' : 'configItems.no')],
  ]
  return (
    <Paper
      variant="outlined"
      component="section"
      aria-label={text('management.roles.inspector')}
      aria-live="polite"
      sx={{ p: 2, position: { lg: 'sticky' }, top: 140 }}
    >
      <Typography variant="h2" sx={{ fontSize: '1rem', mb: 1 }}>
        {text('management.roles.inspector')}
      </Typography>
      {facts ? (
        <>
          <Typography component="h3" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
            {permission.jsonName}
          </Typography>
          <Typography sx={{ mb: 1.5 }}>{permission.description}</Typography>
          <Box
            component="dl"
            sx={{
              m: 0,
              '& dt': { fontSize: '0.8125rem', color: 'text.secondary' },
              '& dd': { m: 0, mb: 1 },
            }}
          >
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </Box>
        </>
      ) : (
        <Typography sx={{ color: 'text.secondary' }}>{text('management.roles.select')}</Typography>
      )}
    </Paper>
  )
}

/** The catalogue of roles and permissions that the server enforces (administration §2.2). */
export function RolesPage() {
  const text = useText()
  const [roles, permissions] = [useRoles(), usePermissions()]
  const [chosen, setChosen] = useState<string>()
  const chips = (names: readonly string[]) => (
    <Box component="ul" sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, listStyle: 'none', m: 0, p: 0 }}>
      {names.map((name) => (
        <li key={name}>
          <Chip
            size="small"
            label={name}
            variant="outlined"
            color={name === chosen ? 'primary' : 'default'}
            aria-pressed={name === chosen}
            onClick={() => setChosen(name)}
            sx={name === chosen ? { borderWidth: 2, fontWeight: 600 } : {}}
          />
        </li>
      ))}
    </Box>
  )
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <PageTitle title={text('management.sections.roles')} />
      {isAwaiting([roles, permissions]) ? (
        <Awaiting queries={[roles, permissions]} height={480} />
      ) : (
        <Box
          sx={{
            display: 'grid',
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 360px' },
            gap: 3,
            alignItems: 'start',
          }}
        >
          <Box sx={{ display: 'grid', gap: 3 }}>
            <Box component="section" aria-label={text('management.roles.roles')}>
              <Typography variant="h2" sx={{ fontSize: '1rem', mb: 1 }}>
                {text('management.roles.roles')}
              </Typography>
              <Paper variant="outlined">
                {roles.data?.map(({ enumName, visibleName, description, permissionJsonNames }) => (
                  <Box
                    key={enumName}
                    component="section"
                    aria-label={visibleName}
                    sx={{ p: 2, '& + &': { borderTop: 1, borderColor: 'divider' } }}
                  >
                    <Typography component="h3" sx={{ fontWeight: 600 }}>
                      {visibleName}
                    </Typography>
                    <Typography sx={{ color: 'text.secondary', mb: 1 }}>{description}</Typography>
                    {chips(permissionJsonNames)}
                  </Box>
                ))}
              </Paper>
            </Box>
            <Box component="section" aria-label={text('management.roles.permissions')}>
              <Typography variant="h2" sx={{ fontSize: '1rem', mb: 1 }}>
                {text('management.roles.permissions')}
              </Typography>
              <Paper variant="outlined" sx={{ p: 2 }}>
                {chips(permissions.data?.map(({ jsonName }) => jsonName) ?? [])}
              </Paper>
            </Box>
          </Box>
          <Inspector permission={permissions.data?.find(({ jsonName }) => jsonName === chosen)} />
        </Box>
      )}
    </Box>
  )
}
