import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router-dom'

import { configCan } from '#contract/config/rules.ts'
import { managementConfigItemsApi } from '#contract/config-items/api.ts'
import type { ConfigChange, ConfigItem } from '#contract/config-items/schema.ts'
import { managedOrganisationsApi } from '#contract/managed-organisations/api.ts'
import type { Endpoint } from '#contract/kit/endpoint.ts'
import { call } from '#providers/api.ts'
import { useCan } from '#providers/useCan.ts'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { useText } from '#src/kit/useText.ts'
import { ConfigItems } from '#src/config-items/ConfigItems.tsx'

/** Tells the items that staff may change, if they may call the endpoint. */
function useCanChange({ access }: Endpoint) {
  const may = useCan()(access)
  return (item: ConfigItem) => may && configCan.changeAsStaff(item)
}

const change = (databaseKey: string, valueJson: string) => ({ databaseKey, valueJson }) as ConfigChange

/** Default values of all organisations (administration §2.2). */
export function GlobalConfigPage() {
  const text = useText()
  const canChange = useCanChange(managementConfigItemsApi.updateGlobal)
  return (
    <>
      <PageTitle title={text('configItems.global')} />
      <ConfigItems
        queryKey={['config-items', 'global']}
        list={(signal) => call(managementConfigItemsApi.listGlobal, { signal })}
        save={(key, json) => call(managementConfigItemsApi.updateGlobal, { body: change(key, json) })}
        revert={(databaseKey) =>
          call(managementConfigItemsApi.revertGlobal, {
            params: { databaseKey: change(databaseKey, '').databaseKey },
          })
        }
        canChange={canChange}
        showsModifyAccess
        hasOwn={({ isGlobalOverridden }) => isGlobalOverridden}
        emptyInherits={false}
        tools={
          <Button component={Link} to="/management/organizations" variant="outlined">
            {text('configItems.manageEnterprises')}
          </Button>
        }
      />
    </>
  )
}

export function EnterpriseConfigPage() {
  const text = useText()
  const canChange = useCanChange(managementConfigItemsApi.updateEnterprise)
  const { id = '' } = useParams()
  const { data } = useQuery({
    queryKey: ['management/organizations', 'detail', id],
    queryFn: ({ signal }) => call(managedOrganisationsApi.get, { params: { id }, signal }),
  })
  const params = { id }
  return (
    <>
      <PageTitle
        title={text('configItems.enterprise', { name: data?.enterprise.displayName ?? '' }).trim()}
      />
      <ConfigItems
        key={id}
        queryKey={['config-items', id]}
        list={(signal) => call(managementConfigItemsApi.listEnterprise, { params, signal })}
        save={(key, json) =>
          call(managementConfigItemsApi.updateEnterprise, { params, body: change(key, json) })
        }
        revert={(key) =>
          call(managementConfigItemsApi.updateEnterprise, { params, body: change(key, 'null') })
        }
        canChange={canChange}
        showsModifyAccess
        hasOwn={({ isEnterpriseCustom }) => isEnterpriseCustom}
        emptyInherits
        tools={
          <>
            <Button component={Link} to="/management/organizations" color="inherit">
              {text('configItems.back')}
            </Button>
            <Button component={Link} to="/management/config" variant="outlined">
              {text('configItems.manageGlobal')}
            </Button>
          </>
        }
      />
    </>
  )
}
