import type { RequestField, RequestItemField } from '@leeward/engine/vocabulary';
import { capitalized } from '@leeward/terms/words';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { nameFault } from '../service/name-faults.ts';
import { attributesOf, Choice, Heard, hintOf, Input, idOf, labelOf, Remark, yesOrNo } from './field-input.tsx';
import { form } from './home-state.ts';
import { readItems, type TypedItem } from './items.ts';
import { typeInto } from './line-form.ts';
import type { MarkedField } from './mark-fields.ts';
import { failure } from './verdicts.ts';

type ListField = Extract<RequestField, { readonly kind: 'list' }>;

/** Items of a list, each with its fields. No items differ from no answer: they are unknown until the user adds one or ticks none. */
export function ItemEditor({ list, settles, isIdle }: Omit<MarkedField, 'field'> & { readonly list: ListField }) {
  const { name } = list;
  const label = labelOf(list);
  const hint = hintOf(settles);
  const items = readItems(form.value.typed.value[name]);
  const take = (next: readonly TypedItem[] | undefined) =>
    typeInto(form.value, name, next === undefined ? '' : JSON.stringify(next));
  /** The control that receives the focus after the next drawing. */
  const target = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    if (target.current !== undefined) document.getElementById(target.current)?.focus();
    target.current = undefined;
  });
  const add = () => {
    target.current = idOf(`${name}/${items?.length ?? 0}/${list.fields[0]!.name}`);
    take([...(items ?? []), {}]);
  };
  const remove = (index: number) => {
    target.current = idOf(name);
    const others = items!.filter((_, each) => each !== index);
    take(others.length === 0 ? undefined : others);
  };
  const fault = failure.value?.errors.find(({ path }) => path === `/${name}`);
  const shared = {
    name,
    label,
    hint,
    field: list,
    answer: { text: '', type: () => {}, fault: fault && nameFault(fault, label) },
  };
  const attributes = attributesOf(shared);
  const isFull = items !== undefined && items.length >= list.max_items;
  return (
    <fieldset class={`wide items${isIdle ? ' idle' : ''}`}>
      <legend>
        {label}
        {hint && (
          <span class="hint" id={`${idOf(name)}-settles`}>
            {' '}
            {hint}
          </span>
        )}
      </legend>
      {items !== undefined && items.length > 0 && (
        <ol>
          {items.map((item, index) => (
            <li key={index}>
              <Item
                list={list}
                item={item}
                index={index}
                change={(next) => take(items.map((each, place) => (place === index ? next : each)))}
                remove={() => remove(index)}
              />
            </li>
          ))}
        </ol>
      )}
      <p class="row">
        <button type="button" id={idOf(name)} disabled={isFull} onClick={add} {...attributes}>
          Add {items?.length ? 'another' : /^[aeiou]/.test(list.item_label) ? 'an' : 'a'} {list.item_label}
        </button>
        {!items?.length && (
          <label>
            <input
              type="checkbox"
              id={`${idOf(name)}--none`}
              checked={items !== undefined}
              onChange={({ currentTarget }) => take(currentTarget.checked ? [] : undefined)}
              {...attributes}
            />{' '}
            no {list.label}
          </label>
        )}
      </p>
      <Heard {...shared} />
      <Remark {...shared} />
    </fieldset>
  );
}

interface ItemProps {
  readonly list: ListField;
  readonly item: TypedItem;
  readonly index: number;
  change(next: TypedItem): void;
  remove(): void;
}

function Item({ list, item, index, change, remove }: ItemProps) {
  const title = `${list.item_label} ${index + 1}`;
  const titleId = `${idOf(`${list.name}/${index}`)}-title`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the legend of a fieldset does not take part in the grid.
    <div class="item" role="group" aria-labelledby={titleId}>
      <p id={titleId} class="item-title">
        {capitalized(title)}
      </p>
      <div class="field-grid">
        {list.fields.map((field) => (
          <ItemFieldInput key={field.name} list={list} index={index} field={field} item={item} change={change} />
        ))}
        <button type="button" class="plain" onClick={remove}>
          Remove<span class="only-heard"> {title}</span>
        </button>
      </div>
    </div>
  );
}

function ItemFieldInput({
  list,
  index,
  field,
  item,
  change,
}: Omit<ItemProps, 'remove'> & { readonly field: RequestItemField }) {
  const name = `${list.name}/${index}/${field.name}`;
  const label = labelOf(field);
  const fault = failure.value?.errors.find(({ path }) => path === `/${name}`);
  const shared = {
    name,
    label,
    answer: {
      text: item[field.name] ?? '',
      type: (text: string) => {
        const { [field.name]: _, ...others } = item;
        change(text === '' ? others : { ...others, [field.name]: text });
      },
      // The label of the item is above.
      fault: fault && nameFault({ ...fault, message: fault.message.replace(/^[^:]*: /, '') }, label),
    },
  };
  switch (field.kind) {
    case 'word':
      return <Choice {...shared} options={field.words.map((word) => [word, word])} empty="Not given" />;
    case 'flag':
      return <Choice {...shared} options={yesOrNo} empty="Not given" />;
    case 'date':
      return <Input {...shared} placeholder="YYYY-MM-DD or YYYY" />;
    case 'number':
      return <Input {...shared} mode="numeric" number={field} />;
  }
}
