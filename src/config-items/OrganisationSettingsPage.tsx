import { configCan } from '#contract/config/rules.ts'
import { configItemsApi } from '#contract/config-items/api.ts'
import type { ConfigChange } from '#contract/config-items/schema.ts'
import { call } from '#providers/api.ts'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { useText } from '#src/kit/useText.ts'
import { ConfigItems } from './ConfigItems.tsx'

const save = (databaseKey: string, valueJson: string) =>
  call(configItemsApi.update, { body: { databaseKey, valueJson } as ConfigChange })

/** The configuration items that the organisation's own administrators may change (administration §6). */
export function OrganisationSettingsPage() {
  const text = useText()
  return (
    <>
      <PageTitle title={text('configItems.title')} />
      <ConfigItems
        queryKey={['config-items']}
        list={(signal) => call(configItemsApi.list, { signal })}
        save={save}
        revert={(key) => save(key, 'null')}
        canChange={configCan.changeAsAdministrator}
        hasOwn={({ isEnterpriseCustom }) => isEnterpriseCustom}
        emptyInherits
        showsModifyAccess={false}
      />
    </>
  )
}
