/** The id of the page's live region, which stays when the content is replaced. */
export const ANNOUNCER_ID = 'said'

/**
 * Follows the payment in place: it asks for the state's revision, and replaces the page's content when another one is answered. A call that
 * fails changes nothing but the sentence in the live region. Without this script the page reloads.
 */
export const followScript = `{let d=document,n=d.getElementById('${ANNOUNCER_ID}'),p=location.pathname,t,busy,w=2e3,
main=()=>d.querySelector('main'),
say=(s,c)=>{n.className=c;if(n.textContent!=s)n.textContent=s},
get=async u=>{let c=new AbortController,k=setTimeout(()=>c.abort(),15e3);try{let r=await fetch(u,{signal:c.signal});if(r.ok)return await r.text();throw 0}finally{clearTimeout(k)}},
go=()=>{let u=main().dataset.next;if(u)setTimeout(()=>location.replace(u),5e3)},
ask=async()=>{let v=main().dataset.rev,s,x;clearTimeout(t);if(!v||busy)return;busy=1
try{s=JSON.parse(await get(p+'/status'));if(s.revision!=v){x=new DOMParser().parseFromString(await get(p),'text/html');main().replaceWith(x.querySelector('main'));x=main();say(x.querySelector('[role=alert]')?'':x.querySelector('h1').textContent,'unseen');go()}else if(n.className!='unseen')say('','unseen');w=s.poll_after_ms}
catch{say(n.dataset.trying,'trying');w=Math.min(w*1.5,1e4)}
busy=0;t=setTimeout(ask,w)}
t=setTimeout(ask,w);go();d.onvisibilitychange=ononline=ask}`

/**
 * Lets the provider's script fill the page with its fields. When they are filled in, the form goes to our server: without the card, and with
 * the facts of the screen that the card's bank asks for.
 */
export const cardScript = `{let d=document,f=d.getElementById('card'),b=f.querySelector('button'),e=d.getElementById('card-error'),
say=t=>{e.textContent=t;b.disabled=false},
put=(n,v)=>{let i=d.createElement('input');i.type='hidden';i.name=n;i.value=v;f.append(i)}
f.onsubmit=v=>{v.preventDefault();e.textContent='';b.disabled=true;try{PaymentSession.updateSessionFromForm('card')}catch{say(f.dataset.failed)}}
try{PaymentSession.configure({session:f.dataset.session,fields:{card:{number:'#card-number',expiryMonth:'#card-month',expiryYear:'#card-year',securityCode:'#card-code'}},frameEmbeddingMitigation:['javascript'],
callbacks:{initialized:r=>r.status=='ok'?b.disabled=false:say(f.dataset.failed),
formSessionUpdate:r=>{if(r.status!='ok')return say(r.status=='fields_in_error'?f.dataset.wrong:f.dataset.failed)
put('width',screen.width);put('height',screen.height);put('depth',screen.colorDepth);put('zone',new Date().getTimezoneOffset());f.submit()}},
interaction:{displayControl:{formatCard:'EMBOSSED',invalidFieldCharacters:'REJECT'}}})}catch{say(f.dataset.failed);b.disabled=true}}`
