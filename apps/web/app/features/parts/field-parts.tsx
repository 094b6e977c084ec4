import { useState } from 'react'
import { IconSearch } from '../../components/icons.ts'
import { ChoiceCards } from '../../components/ui/choice-cards.tsx'
import { CodeField } from '../../components/ui/code-field.tsx'
import { ColourField } from '../../components/ui/colour-field.tsx'
import { Combobox } from '../../components/ui/combobox.tsx'
import {
  AreaField,
  Box,
  Boxes,
  FileField,
  SecretField,
  SelectField,
  TextField,
} from '../../components/ui/field.tsx'
import { Part } from './part.tsx'
import styles from './parts.module.css'

const fruits = ['Apple', 'Banana', 'Guava', 'Lemon', 'Mango', 'Papaya'].map((label) => ({
  value: label.toLowerCase(),
  label,
}))
const error = 'This value is refused'
const help = 'A sentence that helps'

export const FieldParts = ({ scheme }: { readonly scheme: string }) => (
  <>
    <Part name="TextField">
      <TextField label="Name" />
      <TextField label="With help" help={help} defaultValue="A value" />
      <TextField label="With an icon" icon={IconSearch} placeholder="Search" />
      <TextField label="With an error in place of the help" help={help} error={error} />
      <TextField label="With an error above the help" help={help} error={error} isHelpKept />
    </Part>
    <Part name="SecretField">
      <SecretField label="Password" eyeLabel="Show password" defaultValue="a secret" />
    </Part>
    <Part name="ColourField">
      <Colour />
    </Part>
    <Part name="AreaField">
      <AreaField label="Description" rows={3} />
      <AreaField label="Refused description" rows={2} error={error} />
    </Part>
    <Part name="SelectField">
      <SelectField label="Fruit" choices={fruits} defaultValue="mango" />
      <SelectField
        label="Nothing chosen"
        choices={[{ value: '', label: 'Choose one', disabled: true }, ...fruits]}
        defaultValue=""
        error={error}
      />
    </Part>
    <Part name="Combobox">
      <FruitSearch />
    </Part>
    <Part name="ChoiceCards">
      <Cards name={`cards-${scheme}`} />
      <Sentences name={`sentences-${scheme}`} />
    </Part>
    <Part name="Boxes, Box">
      <Boxes label="Events" error={error}>
        <Box label="payment.completed" help="A customer has paid" defaultChecked />
        <Box label="payment.failed" />
      </Boxes>
    </Part>
    <Part name="FileField">
      <FileField label="Logo" help="PNG or JPEG" />
    </Part>
    <Part name="CodeField">
      <Code />
    </Part>
  </>
)

function FruitSearch() {
  const [text, setText] = useState('Mango')
  const [isSearching, setIsSearching] = useState(false)
  const found = fruits.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
  return (
    <Combobox
      label="Fruit with a search"
      value={text}
      choices={isSearching ? found : fruits}
      chosen={text.toLowerCase()}
      listLabel="Fruits"
      emptyText="No fruit has this name"
      onType={(typed) => {
        setText(typed)
        setIsSearching(true)
      }}
      onClose={() => setIsSearching(false)}
      onChoose={(value) => setText(fruits.find((fruit) => fruit.value === value)?.label ?? '')}
      clear={{ label: 'Clear', onClear: () => setText('') }}
    />
  )
}

function Colour() {
  const [value, setValue] = useState('')
  return (
    <ColourField
      label="Colour"
      pickerLabel="Choose a colour"
      value={value}
      onChange={(event) => setValue(event.currentTarget.value)}
    />
  )
}

function Cards({ name }: { readonly name: string }) {
  const [value, setValue] = useState('apple')
  return (
    <ChoiceCards
      label="One of two"
      name={name}
      choices={fruits.slice(0, 2)}
      value={value}
      onChange={setValue}
    />
  )
}

function Sentences({ name }: { readonly name: string }) {
  const [value, setValue] = useState<string | null>('apple')
  return (
    <ChoiceCards
      label="One of two, each with a sentence"
      name={name}
      choices={fruits.slice(0, 2).map((fruit) => ({
        ...fruit,
        help: 'One sentence about it',
        more: <p className={styles.more}>What the chosen one shows</p>,
      }))}
      value={value}
      onChange={setValue}
    />
  )
}

function Code() {
  const [value, setValue] = useState('123')
  return (
    <CodeField
      length={6}
      label="Code"
      boxLabel={(place) => `Digit ${place} of 6`}
      value={value}
      error={error}
      onChange={setValue}
      data-path="code"
    />
  )
}
