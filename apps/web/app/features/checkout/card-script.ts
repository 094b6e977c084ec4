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
