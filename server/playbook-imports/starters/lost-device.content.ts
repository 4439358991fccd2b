import type { StarterPlaybook } from '#contract/playbooks/schema.ts'

import { first, later, next, phase } from './starter.content.ts'

const LEAD = 'Incident lead'
const OWNER = 'Person who lost it'
const DESK = 'Service desk'
const SECURITY = 'IT security'
const PRIVACY = 'Data protection officer'
const MANAGER = 'Line manager'

export const LOST_DEVICE: StarterPlaybook = {
  id: 'lost-device',
  name: 'Lost or stolen device',
  purpose: 'A laptop, phone, tablet, badge or data carrier is missing.',
  description:
    'A device with our data or our keys is missing. Treat it as stolen until it is found: locking can be undone, a leak cannot. Everything in the first part takes less than an hour and needs no permission. If somebody was robbed or hurt, they come first; the device comes later. Note when it was last seen, what was on it and how it was protected. Nobody is blamed for reporting, not even late.',
  activities: [
    phase('First 15 minutes'),
    first('Make sure that the person is safe', 'After a theft or a break-in: is anybody hurt, threatened, alone? Call the emergency number if needed, and do not chase the thief. Only then ask about the device.', { role: MANAGER, minutes: 5 }),
    first('Ask what is missing, and where it was last seen', 'Kind, model, owner, place, last moment, PIN or password written nearby, bag with papers, badge, keys, token? Write it down in their words, with the time of the report.', { role: DESK, minutes: 10 }),
    first('Lock the device from afar', 'Use the device management to lock it and to show a phone number on the screen. Ask for its location. Do not wipe yet: a locked device can still be found.', { role: DESK, minutes: 5 }),
    first('End all sessions of the owner', 'Sign out everywhere, reset the password, revoke certificates and tokens of this device, remove it from VPN and mail. Record the time of each.', { role: SECURITY, minutes: 15 }),
    first('Block SIM card, badge and keys', 'Call the phone company and the gate. Block a corporate payment card that was with it. Note who confirmed it.', { role: DESK, minutes: 15 }),
    phase('First hour: look for it'),
    first('Retrace the way', 'Call the train, taxi, hotel, restaurant, airport and the places of the last hours. Leave a number that somebody answers. Give no details about what is on the device.', { role: OWNER, minutes: 30 }),
    first('Look at its location, and stay away', 'Take a screenshot with the time. If it moves or lies at a strange address, pass it to the police. Nobody goes there on their own.', { role: SECURITY, minutes: 10 }),
    next('Report a theft to the police', 'Have serial number and IMEI at hand; the service desk knows them. Keep the file number for the insurer.', { role: OWNER, minutes: 45 }),
    next('Look at what the device did since', 'Sign-ins, unlocking, network addresses, mail, file downloads after the last certain moment. Save these logs.', { role: SECURITY, minutes: 45 }),
    phase('First four hours: judge the risk'),
    first('Find out how well it was protected', 'Encryption on and confirmed by management, not only planned? Screen lock, PIN length, switched off or only asleep, second factor on it? Record the proof, such as a screenshot of its last report.', { role: SECURITY, minutes: 30 }),
    first('List what was on it, or could be reached from it', 'Local files, mail, photos of customers, passwords in the browser, open sessions. Ask the owner without reproach: an honest list protects people.', { role: OWNER, minutes: 30 }),
    first('Decide whether to wipe it', 'Wipe when there is no hope, or when it was weakly protected. Before: is its location still needed, are there files that exist nowhere else? Record who decided.', { role: LEAD, minutes: 15 }),
    first('Decide whether it is a data breach', 'With an encrypted, locked device it often is not; without encryption it nearly always is. Then start that playbook: deadlines may run (for example GDPR: 72 hours from becoming aware). Write down the reasons either way.', { role: PRIVACY, minutes: 30 }),
    next('Change what the owner had access to', 'Shared passwords, administrator accounts, keys for interfaces, codes of doors and alarm. Begin with what opens most.', { role: SECURITY, minutes: 60 }),
    next('Tell owners of data that may be affected', 'Departments, customers, partners whose data was on it. Facts only, agreed with the data protection officer.', { role: LEAD, minutes: 45 }),
    phase('Get the person working again'),
    next('Hand out a replacement', 'From the reserve, set up fresh and encrypted. Hand it over in person against an identity check: “I lost my phone” is a favorite story of fraudsters.', { role: DESK, minutes: 60 }),
    next('Set up a new second factor', 'Remove the old one, register the new one with the person present. Check for factors that nobody knows.', { role: DESK, minutes: 20 }),
    next('Restore their data', 'From backup or cloud, never from an unknown copy. Write down what is lost for good.', { role: DESK, minutes: 60 }),
    phase('If it comes back'),
    next('Keep it off the network', 'Do not switch it on. Note who brought it, where and when it was found. It is foreign until it has been looked at.', { role: DESK, minutes: 10 }),
    next('Look for signs of tampering, then install it anew', 'Opened case, new hardware, new accounts, changed firmware. Never hand it back as it is.', { role: SECURITY, minutes: 90 }),
    phase('Close'),
    next('Report it to insurer and leasing company', 'With police file number, serial number and purchase value. Note the deadline of the policy.', { role: DESK, minutes: 30 }),
    next('Correct the inventory', 'Lost, wiped, replaced or found. Check the management’s report once more: was it really encrypted?', { role: DESK, minutes: 15 }),
    later('Ask what would have made it harmless', 'Encryption for all, shorter lock times, less local data, a cable lock, a bag with a tracker. Record who changes what, until when.', { role: SECURITY, minutes: 45 }),
    later('Thank the person for reporting', 'The time between loss and report is what we can influence most. Tell the team how well an early report worked, without the name.', { role: MANAGER, minutes: 10 }),
  ],
} // prettier-ignore
