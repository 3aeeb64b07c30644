/** The forms of real exports and APIs, by their vendors' docs: each joined with the answer of a vendor's list of users. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinedOf, peopleOf } from '../../support/people-files.ts';

const MEMBERS = JSON.stringify({
  data: ['ann', 'bob', 'eve'].map((name, index) => ({
    id: `user_${index}`,
    type: 'user',
    email: `${name}@example.com`,
    role: 'developer',
    added_at: '2024-10-30T23:58:27.427722Z',
  })),
  has_more: false,
  first_id: 'user_0',
  last_id: 'user_2',
});

/** `left` or `disabled` is what Bob is by each. Ann is here, and Eve is in none. */
const EXPORTS: Readonly<Record<string, readonly [bob: 'left' | 'disabled', text: string | object]>> = {
  'Okta, CSV': [
    'left',
    `id,firstName,lastName,displayName,login,email,status,statusChanged,department,manager
00u1,Ann,Miller,Ann Miller,ann@example.com,ann@example.com,ACTIVE,2024-01-01T00:00:00.000Z,Payments,
00u2,Bob,Stone,Bob Stone,bob@example.com,bob@example.com,DEPROVISIONED,2026-05-11T08:00:00.000Z,Payments,`,
  ],
  'Okta, GET /api/v1/users': [
    'disabled',
    [
      ['ann', 'PASSWORD_EXPIRED'],
      ['bob', 'SUSPENDED'],
    ].map(([name, status]) => ({
      id: `00u${name}`,
      status,
      type: { id: 'oty1' },
      profile: { firstName: name, lastName: 'X', login: `${name}@example.com`, email: `${name}@example.com` },
      credentials: { provider: { type: 'OKTA', name: 'OKTA' } },
    })),
  ],
  'Entra, downloaded users': [
    'left',
    `userPrincipalName,displayName,surname,mail,givenName,objectId,userType,jobTitle,department,accountEnabled,usageLocation,streetAddress,state,employeeLeaveDateTime
ann@example.com,Ann Miller,Miller,ann@example.com,Ann,5e1f-11,Member,Engineer,Payments,True,DE,x,CA,
bob@example.com,Bob Stone,Stone,Bob@Example.com,Bob,5e1f-12,Member,Engineer,Payments,False,DE,x,CA,2026-05-11T00:00:00Z`,
  ],
  'Microsoft Graph, GET /users': [
    'disabled',
    {
      '@odata.context': 'https://graph.example/v1.0/$metadata#users',
      value: [
        { id: 'g1', userPrincipalName: 'ann@corp.example', mail: 'ann@example.com', accountEnabled: true },
        { id: 'g2', userPrincipalName: 'bob@example.com', mail: null, accountEnabled: false },
      ],
    },
  ],
  'Get-MgUser | Export-Csv': [
    'disabled',
    `#TYPE Microsoft.Graph.PowerShell.Models.MicrosoftGraphUser
"DisplayName","Id","Mail","UserPrincipalName","AccountEnabled"
"Ann Miller","5e1f-11","ann@example.com","ann@example.com","True"
"Bob Stone","5e1f-12","bob@example.com","bob@example.com","False"`,
  ],
  'Get-ADUser | Export-Csv with semicolons': [
    'disabled',
    `"Enabled";"GivenName";"Name";"SamAccountName";"Surname";"UserPrincipalName"
"True";"Ann";"Ann Miller";"ann";"Miller";"ann@example.com"
"False";"Bob";"Bob Stone";"bob";"Stone";"bob@example.com"`,
  ],
  'Google Workspace, CSV': [
    'disabled',
    `First Name [Required],Last Name [Required],Email Address [Required],Org Unit Path [Required],Status [READ ONLY],Last Sign In [READ ONLY],Manager Email
Ann,Miller,ann@example.com,/Payments,Active,2026-11-20 08:00,
Bob,Stone,bob@example.com,/Payments,Suspended,Never logged in,ann@example.com`,
  ],
  'Google, users.list': [
    'disabled',
    {
      kind: 'admin#directory#users',
      users: [
        {
          id: '1041',
          primaryEmail: 'ann@example.com',
          name: { givenName: 'Ann', familyName: 'Miller', fullName: 'Ann Miller' },
          suspended: false,
          archived: false,
          emails: [{ address: 'ann@example.com', primary: true }],
        },
        { id: '1042', primaryEmail: 'bob@example.com', name: { fullName: 'Bob Stone' }, suspended: true },
      ],
    },
  ],
  'Workday, CSV with a title': [
    'left',
    `Workers as of 2026-11-28
Worker,Employee ID,Primary Work Email,Supervisory Organization,Worker's Manager,Worker Status,Termination Date
Ann Miller,100,ann@example.com,Payments,,Active,
Bob Stone,101,bob@example.com,Payments,Ann Miller,Terminated,2026-05-11`,
  ],
  'Workday, a report as a service': [
    'left',
    {
      Report_Entry: [
        {
          Employee_ID: '100',
          Worker: 'Ann Miller',
          Work_Email: 'ann@example.com',
          Active_Status: 'On Leave',
        },
        {
          Employee_ID: '101',
          Worker: 'Bob Stone',
          Work_Email: 'bob@example.com',
          Active_Status: 'Terminated',
        },
      ],
    },
  ],
  'SCIM, ListResponse': [
    'disabled',
    {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 2,
      Resources: ['ann', 'bob'].map(name => ({
        id: `s-${name}`,
        userName: name,
        name: { formatted: name, familyName: 'X' },
        active: name === 'ann',
        emails: [
          { value: `${name}@home.example` },
          { value: `${name}@example.com`, type: 'work', primary: true },
        ],
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': {
          department: 'Payments',
          manager: { displayName: 'Eve' },
        },
      })),
    },
  ],
  'Slack, CSV of members': [
    'disabled',
    `username,email,status,billing-active,has-2fa,has-sso,userid,fullname,displayname,expiration-timestamp
ann,ann@example.com,Member,1,1,0,U01,Ann Miller,ann,
bob,bob@example.com,Deactivated,0,1,0,U02,Bob Stone,bob,`,
  ],
  'Slack, users.list': [
    'disabled',
    {
      ok: true,
      members: ['ann', 'bob'].map(name => ({
        id: `U-${name}`,
        team_id: 'T1',
        name,
        deleted: name === 'bob',
        profile: { real_name: name, email: `${name}@example.com`, image_24: 'https://x' },
      })),
      cache_ts: 1_498_777_272,
      response_metadata: { next_cursor: '' },
    },
  ],
  'BambooHR, a report': [
    'left',
    `Employee #,First Name,Last Name,Work Email,Department,Reporting to,Employment Status,Termination Date
1,Ann,Miller,ann@example.com,Payments,Eve North,Full-Time,
2,Bob,Stone,bob@example.com,Payments,Eve North,Terminated,2026-05-31`,
  ],
  'BambooHR, API': [
    'disabled',
    {
      fields: [{ id: 'displayName', type: 'text', name: 'Display Name' }],
      employees: [
        { id: '123', displayName: 'Ann Miller', workEmail: 'ann@example.com', status: 'Active' },
        { id: '124', displayName: 'Bob Stone', workEmail: 'bob@example.com', status: 'Inactive' },
      ],
    },
  ],
  'Personio, API': [
    'left',
    {
      success: true,
      data: ['ann', 'bob'].map(name => ({
        type: 'Employee',
        attributes: {
          first_name: { label: 'First name', value: name },
          email: { label: 'Email', value: `${name}@example.com` },
          status: { label: 'Status', value: name === 'ann' ? 'active' : 'inactive' },
          termination_date: { label: 'Termination date', value: name === 'ann' ? null : '2026-05-11' },
        },
      })),
    },
  ],
  'HiBob, API': [
    'left',
    {
      employees: [
        { id: '33', displayName: 'Ann', email: 'ann@example.com', internal: { status: 'Active' } },
        {
          id: '34',
          displayName: 'Bob',
          email: 'bob@example.com',
          internal: { terminationDate: '2026-05-11' },
        },
      ],
    },
  ],
  'Rippling, CSV': [
    'left',
    `Employee,Work email,Department,Manager,Employment status,Start date,End date
Ann Miller,ann@example.com,Payments,Eve North,Active,2020-01-01,
Bob Stone,bob@example.com,Payments,Eve North,Terminated,2020-01-01,2026-05-11`,
  ],
  'Gusto, API': [
    'left',
    [
      { uuid: 'x1', first_name: 'Ann', last_name: 'Miller', email: 'ann@example.com', terminated: false },
      { uuid: 'x2', first_name: 'Bob', last_name: 'Stone', email: 'bob@example.com', terminated: true },
    ],
  ],
  'ADP, CSV': [
    'left',
    `Legal First Name,Legal Last Name,Work Email,Home Department,Position Status,Termination Date
Ann,Miller,ann@example.com,Payments,Leave,
Bob,Stone,bob@example.com,Payments,Terminated,2026-5-31`,
  ],
  'JumpCloud, API': [
    'disabled',
    {
      totalCount: 2,
      results: ['ann', 'bob'].map(name => ({
        _id: name,
        username: name,
        email: `${name}@example.com`,
        activated: true,
        suspended: name === 'bob',
        state: name === 'bob' ? 'SUSPENDED' : 'ACTIVATED',
      })),
    },
  ],
  'AWS Identity Center, list-users': [
    'disabled',
    {
      Users: ['ann', 'bob'].map(name => ({
        IdentityStoreId: 'd-1',
        UserId: `906-${name}`,
        UserName: name,
        DisplayName: name,
        Emails: [{ Value: `${name}@example.com`, Type: 'work', Primary: true }],
        UserStatus: name === 'bob' ? 'DISABLED' : 'ENABLED',
      })),
    },
  ],
  'GitLab, GET /users': [
    'disabled',
    [
      { id: 1, username: 'ann', name: 'Ann', state: 'active', email: 'ann@example.com' },
      { id: 2, username: 'bob', name: 'Bob', state: 'blocked', email: 'bob@example.com' },
    ],
  ],
  'Atlassian, managed accounts': [
    'disabled',
    `User id,User name,email,User status,Added to org,Last seen in Jira
712020:a,Ann Miller,ann@example.com,Active,01 Jan 2024,Never accessed
712020:b,Bob Stone,bob@example.com,Deactivated,01 Jan 2024,Never accessed`,
  ],
  'Dropbox, members/list': [
    'disabled',
    {
      members: ['ann', 'bob'].map(name => ({
        profile: {
          team_member_id: `dbmid:${name}`,
          email: `${name}@example.com`,
          status: { '.tag': name === 'bob' ? 'suspended' : 'active' },
          name: { display_name: name },
        },
        role: { '.tag': 'member_only' },
      })),
      cursor: 'Z',
      has_more: false,
    },
  ],
  'Auth0, JSON Lines': [
    'disabled',
    `{"user_id":"auth0|1","email":"ann@example.com","name":"Ann","blocked":false}
{"user_id":"auth0|2","email":"bob@example.com","name":"Bob","blocked":true}`,
  ],
  'Keycloak, GET /users': [
    'disabled',
    [
      { id: 'k1', username: 'ann', firstName: 'Ann', email: 'ann@example.com', enabled: true },
      { id: 'k2', username: 'bob', firstName: 'Bob', email: 'bob@example.com', enabled: false },
    ],
  ],
  'Snowflake, SHOW USERS': [
    'disabled',
    `name\tlogin_name\tdisplay_name\temail\tdisabled
ANN\tANN\tAnn Miller\tann@example.com\tfalse
BOB\tBOB\tBob Stone\tbob@example.com\ttrue`,
  ],
  'Zoom, GET /users': [
    'disabled',
    {
      page_count: 1,
      next_page_token: '',
      users: [
        { id: 'z1', first_name: 'Ann', email: 'ann@example.com', type: 2, status: 'active' },
        { id: 'z2', first_name: 'Bob', email: 'bob@example.com', type: 2, status: 'inactive' },
      ],
    },
  ],
  'Factorial, API': [
    'left',
    [
      { id: 1, full_name: 'Ann Miller', email: 'ann@example.com', terminated_on: null },
      { id: 2, full_name: 'Bob Stone', email: 'bob@example.com', terminated_on: '2026-05-11' },
    ],
  ],
  'Excel, with its separator': [
    'left',
    'sep=;\nE-Mail;Name;Left on\nann@example.com;Ann;\nbob@example.com;Bob;11.05.2026',
  ],
};

for (const [form, [bob, content]] of Object.entries(EXPORTS))
  test(`${form}: it tells who is here and who isn't, whichever file is first`, () => {
    const company = peopleOf(typeof content === 'string' ? content : JSON.stringify(content), form);
    const vendor = peopleOf(MEMBERS, 'members.json');
    for (const files of [
      [vendor, company],
      [company, vendor],
    ]) {
      const { directory, gave } = joinedOf(files);
      const absences = [0, 1, 2].map(number => directory.absence(`user_${number}`, Date.parse('2026-11-28')));
      assert.deepEqual(absences, [undefined, bob, undefined]);
      assert.equal(directory.tellsLeft, bob === 'left');
      assert.doesNotMatch(gave.join(), /unprintable/);
      assert.match(gave.find(text => text.startsWith(form)) ?? '', /: 2 row\(s\), 2 joined, 0 not; read: /);
      assert.match(
        gave.find(text => text.startsWith('members')) ?? '',
        /: 3 row\(s\), 2 joined, 1 not; read: id, type, email$/,
      );
      assert.match(directory.creatorName('user_0'), /^ann/i);
    }
  });

test("the people of GitHub's organization tell who has left where they are everyone", () => {
  const users = Array.from({ length: 10 }, (_, number) => `user_${number},u${number}@example.com`).join('\n');
  const members = Array.from({ length: 9 }, (_, number) => `x${number},X,u${number}@Example.com,2fa`).join(
    '\n',
  );
  const everyone = peopleOf(`login,name,saml_name_id,tfa\n${members}\n`, 'github.csv');
  const { directory } = joinedOf([peopleOf(`id,email\n${users}`), everyone], everyone);
  assert.deepEqual(
    Array.from(directory.entries, ({ id }) => id).filter(id => directory.hasLeft(id, Date.now())),
    ['user_9'],
  );
});
