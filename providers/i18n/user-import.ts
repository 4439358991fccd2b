/** Texts of the import of users (administration §2.1, §5). */
export const userImport = {
  open: 'Import Users',
  title: 'Import Users',
  rules: 'At most %{count} users. Role is USER, ADMIN or BUSINESS_USER, External YES or NO. %{phoneRule}',
  templateName: 'users-template.csv',
  chosen: '%{name}: %{smart_count} user |||| %{name}: %{smart_count} users',
  adds: '%{smart_count} user will be added. |||| %{smart_count} users will be added.',
  addsNobody: 'Everybody in this file is a user already.',
  skips:
    '%{smart_count} is a user already and will be left as they are. |||| %{smart_count} are users already and will be left as they are.',
  unknownRoles:
    '%{smart_count} row has a role that is not known and becomes User. |||| %{smart_count} rows have a role that is not known and become User.',
  heldTitle: 'Who is external?',
  held: 'Row %{rows} says “%{word}” below External, which is neither yes nor no. |||| Rows %{rows} say “%{word}” below External, which is neither yes nor no.',
  heldHelp:
    'External people see only the incidents and rooms that include them. Nothing is imported before each word is decided on.',
  moreRows: '%{smart_count} more',
  types: { EXTERNAL: 'External', INTERNAL: 'Internal' },
  undecided: 'To be decided',
  allowance:
    'This import exceeds your user allowance of %{allowed} by %{over}. It may result in additional charges.',
  send: 'Send activation emails',
  sendHelp: 'Each with a link to set a password, valid for 7 days.',
  submit: 'Import %{smart_count} User |||| Import %{smart_count} Users',
  importing: 'Importing %{smart_count} user… |||| Importing %{smart_count} users…',
  created: '%{smart_count} user was added. |||| %{smart_count} users were added.',
  createdNobody: 'Nobody was added.',
  skippedTitle: 'Not added (%{smart_count})',
  skipped: {
    EXISTS: 'is a user already',
    ARCHIVED: 'is an archived user and can be reactivated',
  },
  yes: 'Yes',
  no: 'No',
}
