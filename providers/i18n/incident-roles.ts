/** Texts of the organisation's list of roles. Those of other lists are taken where they say the same. */
export const incidentRoles = {
  title: 'Roles in Incidents',
  position: 'Order',
  held: 'Running incidents',
  retired: 'Retired',
  filter: 'Filter roles',
  empty: 'No roles.',
  create: 'Add role',
  saved: 'The role has been saved.',
  edit: 'Edit role',
  removeTitle: 'Delete role?',
  removeText: 'Reports keep who held the role %{name}.',
}
