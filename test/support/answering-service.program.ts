const globals = () => [globalThis.Request, globalThis.Response, globalThis.Headers, globalThis.fetch];

const before = globals();
const output = process.getActiveResourcesInfo();
const { leeward } = await import('../../examples/insurance.ts');
const made = process.getActiveResourcesInfo().filter((each) => !output.includes(each));
const headers = { authorization: `Bearer ${process.env['LEEWARD_KEY']}`, 'content-type': 'application/json' };
const init = { method: 'POST', headers, body: '{"state": "fl", "lat": 25.78, "lng": -80.13}' };
const { status } = await leeward.fetch(new Request('http://host/insurance/v1/underwrite/home', init));
const after = globals();

/** Side effects of creating a service and sending it requests. */
export const told = { made, status, same: after.every((each, index) => each === before[index]) };
